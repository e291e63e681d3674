import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../base/temp-folder.ts'
import { assertOwnCodeCache } from './code-cache.ts'

const user = process.geteuid?.() ?? 0
const group = process.getegid?.() ?? 0
const own = { user, group }

interface Case {
  readonly mode: number
  readonly by?: { readonly user: number; readonly group: number }
  readonly isLink?: boolean
  readonly why: string | null
}

test.each<[string, Case]>([
  ['of this user alone', { mode: 0o700, why: null }],
  ['that others may read', { mode: 0o755, why: null }],
  ['that the own group may write to', { mode: 0o775, why: null }],
  ['of another user', { mode: 0o755, by: { user: user + 1, group }, why: `belongs to user ${user}` }],
  ['that all may write to', { mode: 0o777, why: 'can be written to by other users (mode 0777)' }],
  [
    'that all may write to, with the sticky bit',
    { mode: 0o1777, why: 'can be written to by other users (mode 01777)' },
  ],
  [
    'that another group may write to',
    { mode: 0o775, by: { user, group: group + 1 }, why: 'can be written to by other users (mode 0775)' },
  ],
  ['that is a link', { mode: 0o700, isLink: true, why: 'is a symbolic link' }],
])('a code cache %s', async (_, { mode, by = own, isLink = false, why }) => {
  await using at = await openTempFolder()
  const made = join(at.path, 'made')
  const folder = isLink ? join(at.path, 'link') : made
  mkdirSync(made)
  chmodSync(made, mode)
  if (isLink) symlinkSync(made, folder)
  const look = () => assertOwnCodeCache({ PLAYWRIGHT_TRANSFORM_CACHE_DIR: folder }, by)
  if (why === null) expect(look).not.toThrow()
  else expect(look).toThrow(`Playwright runs code from ${folder}, which ${why}`)
})

test('a code cache that Playwright has still to make is its own', async () => {
  await using at = await openTempFolder()
  expect(() => assertOwnCodeCache({ PWTEST_CACHE_DIR: join(at.path, 'none') }, own)).not.toThrow()
})
