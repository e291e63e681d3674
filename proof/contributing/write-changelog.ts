import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A commit whose subject is conventional: `feat(audit): the objects of a Git pack are read`. */
interface Change {
  readonly type: string
  readonly scope: string
  readonly isBreaking: boolean
  readonly text: string
}

interface Release {
  readonly version: string
  readonly subjects: readonly string[]
}

const headings: readonly (readonly [heading: string, isPart: (change: Change) => boolean])[] = [
  ['Removed or changed', ({ isBreaking }) => isBreaking],
  ['Added', ({ type, isBreaking }) => type === 'feat' && !isBreaking],
  ['Fixed', ({ type, isBreaking }) => type === 'fix' && !isBreaking],
  ['Faster', ({ type, isBreaking }) => type === 'perf' && !isBreaking],
]

/** Rooms of the development: their commits change nothing for a user. */
const ownScopes = new Set([
  'bench',
  'fixtures',
  'gate',
  'house',
  'package',
  'proof',
  'tests',
  'test',
  'words',
])

/**
 * Renders CHANGELOG.md, the newest release first. The first release lists no fixes: no user had the defects
 */
function renderChangelog(releases: readonly Release[]): string {
  const first = releases.at(-1)
  const sections = releases.flatMap((release) => [
    `## ${release.version}`,
    ...sectionsOf(release.subjects, release === first ? ['Fixed', 'Faster'] : []),
  ])
  return `${['# Changelog', 'Written from the commits by `node proof/contributing/write-changelog.ts`.', ...sections].join('\n\n')}\n`
}

function sectionsOf(subjects: readonly string[], left: readonly string[]): string[] {
  const changes = subjects.flatMap((subject) => readSubject(subject) ?? [])
  return headings.flatMap(([heading, isPart]) => {
    const lines = changes
      .filter((change) => !left.includes(heading) && isPart(change))
      .toSorted((one, other) => one.scope.localeCompare(other.scope, 'en'))
      .map(({ scope, text }) => (scope === '' ? `- ${text}` : `- **${scope}**: ${text}`))
    return lines.length === 0 ? [] : [`### ${heading}`, [...new Set(lines)].join('\n')]
  })
}

/** Reads the subject of a commit; `null` where it is not conventional, or changes nothing for a user. */
function readSubject(subject: string): Change | null {
  const [, type, scope = '', mark, text] = /^([a-z]+)(?:\(([^)]+)\))?(!?): (.+)$/.exec(subject) ?? []
  if (type === undefined || text === undefined || ownScopes.has(scope)) return null
  return { type, scope, isBreaking: mark === '!', text }
}

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
