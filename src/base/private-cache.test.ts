import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cacheHome, openPrivateCache } from './private-cache.ts'

async function place(): Promise<AsyncDisposable & { readonly home: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-cache-'))
  return {
    home: join(folder, 'twotoken'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const user = process.geteuid?.() ?? 0

test('a cache is made for this user alone, and found again', async () => {
  await using at = await place()
  const folder = await openPrivateCache('browsers', { home: at.home, user })
  expect(folder).toBe(join(at.home, 'browsers'))
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect((await stat(at.home)).mode & 0o777).toBe(0o700)
  expect(await openPrivateCache('browsers', { home: at.home, user })).toBe(folder)
})

test.each([
  ['is open to others', (home: string) => mkdir(home).then(() => chmod(home, 0o755)), user, 'has mode 0755'],
  ['is a symbolic link', (home: string) => symlink(tmpdir(), home), user, 'is a symbolic link'],
  ["is another user's", (home: string) => mkdir(home, { mode: 0o700 }), user + 1, `belongs to user ${user}`],
  ['cannot be made', (home: string) => writeFile(home, ''), user, '(EEXIST)'],
])('one that %s is refused in a sentence', async (_, make, asUser, why) => {
  await using at = await place()
  await make(at.home)
  await expect(openPrivateCache('browsers', { home: at.home, user: asUser })).rejects.toMatchObject({
    code: 'unwritable',
    message: expect.stringMatching(new RegExp(`the cache folder ${at.home} .*XDG_CACHE_HOME`)),
  })
  await expect(openPrivateCache('browsers', { home: at.home, user: asUser })).rejects.toThrow(why)
})

test('XDG_CACHE_HOME says where', () => {
  expect(cacheHome({ XDG_CACHE_HOME: '/srv/cache' })).toBe(join('/srv/cache', 'twotoken'))
  expect(cacheHome({ XDG_CACHE_HOME: '' })).not.toBe('twotoken')
})

test.each([
  ['all users may write to', 0o777, 'has mode 0777'],
  ['all users may write to, and none may remove what others made', 0o1777, null],
  ['its group may write to', 0o775, null],
])('one below a folder that %s', async (_, mode, why) => {
  await using at = await place()
  const above = join(at.home, '..', 'shared')
  await mkdir(above)
  await chmod(above, mode)
  const opened = openPrivateCache('browsers', { home: join(above, 'twotoken'), user })
  if (why === null) expect(await opened).toBe(join(above, 'twotoken/browsers'))
  else await expect(opened).rejects.toThrow(`is below ${above}, which ${why}`)
})
