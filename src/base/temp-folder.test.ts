import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cacheHome, openPrivateCache } from './private-cache.ts'
import { identifyProcess } from './process-identity.ts'
import { openTempFolder } from './temp-folder.ts'
import { writeFileWhole } from './write-file.ts'

const user = process.geteuid?.() ?? 0
const yesterday = new Date(Date.now() - 2 * 86_400_000)

/** A folder in which others of these tests make folders; `home` is that of a cache. */
async function parent(): Promise<AsyncDisposable & { readonly path: string; readonly home: string }> {
  const path = await mkdtemp(join(tmpdir(), 'temp-folder-test-'))
  return {
    path,
    home: join(path, 'twotoken'),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

/** Returns the identity of a process that has ended. */
async function ended(): Promise<string> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'exit')
  return (await identifyProcess()).replace(/-\d+-/, `-${child.pid}-`)
}

/** A folder with a key in it, made by the process of that identity where there is one. */
async function make(folder: string, owner: string | null, mode = 0o700): Promise<void> {
  await mkdir(folder)
  await chmod(folder, mode)
  await writeFile(join(folder, 'signing-key.pem'), 'a key')
  if (owner !== null) await writeFile(join(folder, '.owner'), owner)
}

test('a parent that is not there is a precondition, in one sentence', async () => {
  await expect(openTempFolder({ parent: '/nowhere/at all' })).rejects.toMatchObject({
    code: 'precondition',
    message: expect.stringMatching(/^\/nowhere\/at all: no temporary folder \(ENOENT\); set TMPDIR/),
  })
})

test('is for this user alone, and gone at its end', async () => {
  await using at = await parent()
  const folder = await openTempFolder({ parent: at.path })
  expect((await lstat(folder.path)).mode & 0o777).toBe(0o700)
  await writeFile(join(folder.path, 'trace.zip'), 'what a browser saw')
  await folder[Symbol.asyncDispose]()
  expect(await readdir(at.path)).toEqual([])
})

test('is in the folder that the environment names', async () => {
  await using at = await parent()
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, at.path)
  await using folder = await openTempFolder()
  expect(dirname(folder.path)).toBe(at.path)
})

test('its name leaves room for the socket of a browser below the longest folder that systems give', async () => {
  await using folder = await openTempFolder()
  const ofMacOs = '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T'
  const socket = 'org.chromium.Chromium.abcdef/SingletonSocket'
  expect(join(ofMacOs, basename(folder.path), socket).length).toBeLessThan(104)
})

test('removes what killed processes of this user have left, and nothing else', async () => {
  await using at = await parent()
  const identity = await ended()
  await make(join(at.path, 'tt-killed'), identity)
  await make(join(at.path, 'tt-living'), await identifyProcess())
  await make(join(at.path, 'tt-faraw1'), identity.replace(/^[0-9a-f]{8}/, '00000000'))
  await make(join(at.path, 'tt-opened'), identity, 0o777)
  await make(join(at.path, 'tt-unsign'), null)
  await make(join(at.path, 'tt-own'), identity)
  await using own = await openTempFolder({ parent: at.path })
  const kept = ['tt-living', 'tt-faraw1', 'tt-opened', 'tt-unsign', 'tt-own']
  expect((await readdir(at.path)).toSorted()).toEqual([...kept, basename(own.path)].toSorted())
})

test('keeps a folder that was made elsewhere for a day', async () => {
  await using at = await parent()
  const folder = join(at.path, 'tt-abcdef')
  await make(folder, '00000000-1-1')
  await utimes(folder, yesterday, yesterday)
  await using own = await openTempFolder({ parent: at.path })
  expect(await readdir(at.path)).toEqual([basename(own.path)])
})

test('follows no link, and removes nothing of another user', async () => {
  await using at = await parent()
  await using elsewhere = await parent()
  await writeFile(join(elsewhere.path, '.owner'), await ended())
  await symlink(elsewhere.path, join(at.path, 'tt-linked'))
  await make(join(at.path, 'tt-others'), await ended())
  await using _own = await openTempFolder({ parent: at.path, user: user + 1 })
  expect(await readdir(elsewhere.path)).toEqual(['.owner'])
  expect(await readdir(at.path)).toContain('tt-others')
})

test('makes the folder, replaces what was there and leaves nothing beside it', async () => {
  await using place = await parent()
  const file = join(place.path, 'a', 'b', 'results.json')
  await writeFileWhole(file, 'first')
  await writeFileWhole(file, 'second')
  expect(await readFile(file, 'utf8')).toBe('second')
  expect(await readdir(join(place.path, 'a', 'b'))).toEqual(['results.json'])
})

test('a folder in the place of the file is one sentence, and nothing is left behind', async () => {
  await using place = await parent()
  const file = join(place.path, 'results.json')
  await mkdir(file)
  await expect(writeFileWhole(file, 'text')).rejects.toMatchObject({
    code: 'unwritable',
    message: `cannot write ${file}: it is a folder; choose a writable place with free space`,
  })
  expect(await readdir(place.path)).toEqual(['results.json'])
})

test('a full disk is unwritable', async () => {
  await expect(writeFileWhole('/dev/full/results.json', 'text')).rejects.toMatchObject({ code: 'unwritable' })
})

test('a cache is made for this user alone, and found again', async () => {
  await using at = await parent()
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
  await using at = await parent()
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
  await using at = await parent()
  const above = join(at.home, '..', 'shared')
  await mkdir(above)
  await chmod(above, mode)
  const opened = openPrivateCache('browsers', { home: join(above, 'twotoken'), user })
  if (why === null) expect(await opened).toBe(join(above, 'twotoken/browsers'))
  else await expect(opened).rejects.toThrow(`is below ${above}, which ${why}`)
})
