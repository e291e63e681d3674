import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Release, renderChangelog } from './changelog.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'CHANGELOG.md')

/** Gives the releases of the history, the newest first: one a tag, and the commits that no tag has yet. */
export function listReleases(folder: string, next: string): Release[] {
  const git = (...given: readonly string[]) =>
    execFileSync('git', given, { cwd: folder, encoding: 'utf8' }).split('\n').filter(Boolean)
  const tags = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=version:refname')
  const isNext = !tags.includes(`v${next}`)
  const ends = isNext ? [...tags, 'HEAD'] : tags
  return ends
    .map((end, index) => ({
      version: end === 'HEAD' ? next : end.slice(1),
      subjects: git('log', '--no-merges', '--format=%s', index === 0 ? end : `${ends[index - 1]}..${end}`),
    }))
    .toReversed()
}

if (import.meta.main) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const text = renderChangelog(listReleases(root, version))
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(
      'CHANGELOG.md is not what the commits say: node proof/contributing/write-changelog.ts writes it\n',
    )
    process.exitCode = 1
  }
}
