import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderChangelog } from './changelog.ts'
import { listReleases } from './write-changelog.ts'

test('lists what changes for a user, the newest release first, by area', () => {
  const first = { version: '1.0.0', subjects: ['fix(run): never shipped', 'feat(run): judges'] }
  const second = {
    version: '1.1.0',
    subjects: [
      'feat(run)!: exits with 3',
      'fix(mint): a 429 is waited out',
      'docs: a page',
      'feat(proof): more cases',
      "Merge branch 'x'",
      'perf(audit): half the time',
      'feat(audit): reads Git packs',
      'feat: one for all',
    ],
  }
  expect(renderChangelog([second, first])).toBe(`# Changelog

Written by \`npm run changelog\` from the commits.

## 1.1.0

### Removed or changed

- **run**: exits with 3

### Added

- one for all
- **audit**: reads Git packs

### Fixed

- **mint**: a 429 is waited out

### Faster

- **audit**: half the time

## 1.0.0

### Added

- **run**: judges
`)
})

test('a commit belongs to the first tag that contains it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-changelog-'))
  const git = (...given: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...given], { cwd: folder })
  const commit = (subject: string) => git('commit', '--quiet', '--allow-empty', '--message', subject)
  try {
    git('init', '--quiet')
    commit('feat: one')
    expect(listReleases(folder, '1.0.0')).toEqual([{ version: '1.0.0', subjects: ['feat: one'] }])
    git('tag', 'v1.0.0')
    expect(listReleases(folder, '1.0.0')).toEqual([{ version: '1.0.0', subjects: ['feat: one'] }])
    commit('feat: two')
    expect(listReleases(folder, '1.1.0')).toEqual([
      { version: '1.1.0', subjects: ['feat: two'] },
      { version: '1.0.0', subjects: ['feat: one'] },
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
