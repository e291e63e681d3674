import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../base/temp-folder.ts'
import { assertOwnCodeCache } from './code-cache.ts'

const user = process.geteuid?.() ?? 0
const group = process.getegid?.() ?? 0
const own = { user, group }

const lookAt = (folder: string, by: typeof own) => () =>
  assertOwnCodeCache({ PLAYWRIGHT_TRANSFORM_CACHE_DIR: folder }, by)

test.each<[string, number, typeof own, string | null]>([
  ['of this user alone', 0o700, own, null],
  ['that others may read', 0o755, own, null],
  ['that the own group may write to', 0o775, own, null],
  ['of another user', 0o755, { user: user + 1, group }, `belongs to user ${user}`],
  ['that all may write to', 0o777, own, 'can be written to by other users (mode 0777)'],
  ['with the sticky bit', 0o1777, own, 'can be written to by other users (mode 01777)'],
  ['of another group', 0o775, { user, group: group + 1 }, 'can be written to by other users (mode 0775)'],
])('a code cache %s', async (_, mode, by, why) => {
  await using at = await openTempFolder()
  chmodSync(at.path, mode)
  if (why === null) expect(lookAt(at.path, by)).not.toThrow()
  else expect(lookAt(at.path, by)).toThrow(`Playwright runs code from ${at.path}, which ${why}`)
})

test('a code cache that is a link', async () => {
  await using at = await openTempFolder()
  const link = join(at.path, 'link')
  symlinkSync(at.path, link)
  expect(lookAt(link, own)).toThrow(`Playwright runs code from ${link}, which is a symbolic link`)
})

test('a code cache that Playwright has still to make is its own', async () => {
  await using at = await openTempFolder()
  expect(() => assertOwnCodeCache({ PWTEST_CACHE_DIR: join(at.path, 'none') }, own)).not.toThrow()
})
