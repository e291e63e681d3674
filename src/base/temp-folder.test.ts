import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { identifyProcess } from './process-identity.ts'
import { openTempFolder } from './temp-folder.ts'

const user = process.geteuid?.() ?? 0
const yesterday = new Date(Date.now() - 2 * 86_400_000)

/** A folder in which others of these tests make folders. */
async function parent(): Promise<AsyncDisposable & { readonly path: string }> {
  const { path } = await openTempFolder()
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** What a process that has ended is identified by. */
async function ended(): Promise<string> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'exit')
  return (await identifyProcess()).replace(/-\d+-/, `-${child.pid}-`)
}

async function make(folder: string, mode = 0o700): Promise<void> {
  await mkdir(folder)
  await chmod(folder, mode)
  await writeFile(join(folder, 'signing-key.pem'), 'a key')
}

test('is for this user alone, and gone at its end', async () => {
  await using at = await parent()
  const folder = await openTempFolder({ parent: at.path })
  expect((await lstat(folder.path)).mode & 0o777).toBe(0o700)
  await writeFile(join(folder.path, 'trace.zip'), 'what a browser saw')
  await folder[Symbol.asyncDispose]()
  expect(await readdir(at.path)).toEqual([])
})

test('removes what killed processes of this user have left, and nothing else', async () => {
  await using at = await parent()
  const identity = await ended()
  const left = `tt-${identity}-killed`
  const kept = [
    `tt-${await identifyProcess()}-living`,
    `tt-${identity.replace(/^[0-9a-f]{8}/, '00000000')}-faraw1`,
    `tt-${identity}-opened`,
    'tt-own',
  ]
  await make(join(at.path, left))
  for (const name of kept) await make(join(at.path, name), name.endsWith('opened') ? 0o777 : 0o700)
  await using own = await openTempFolder({ parent: at.path })
  expect((await readdir(at.path)).toSorted()).toEqual([...kept, basename(own.path)].toSorted())
})

test('what was made elsewhere is kept for a day', async () => {
  await using at = await parent()
  const folder = join(at.path, `tt-00000000-1-1-abcdef`)
  await make(folder)
  await utimes(folder, yesterday, yesterday)
  await using own = await openTempFolder({ parent: at.path })
  expect(await readdir(at.path)).toEqual([basename(own.path)])
})

test('follows no link, and removes nothing of another user', async () => {
  await using at = await parent()
  await using elsewhere = await parent()
  await writeFile(join(elsewhere.path, 'precious'), '')
  await symlink(elsewhere.path, join(at.path, `tt-${await ended()}-linked`))
  const others = `tt-${await ended()}-others`
  await make(join(at.path, others))
  await using _own = await openTempFolder({ parent: at.path, user: user + 1 })
  expect(await readdir(elsewhere.path)).toEqual(['precious'])
  expect(await readdir(at.path)).toContain(others)
})
