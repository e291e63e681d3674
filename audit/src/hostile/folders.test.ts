import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditPaths } from '../audit/audit.ts'
import { folderOf, key } from '../testing/audit-files.ts'

test('neither hangs on links in a circle and pipes, nor follows a link out of the path', async () => {
  await using made = await folderOf({ 'dist/a.js': `k = "${key}"`, 'outside.js': `k = "${key}x"` })
  const dist = join(made.folder, 'dist')
  await symlink(dist, join(dist, 'loop'))
  await symlink(join(made.folder, 'outside.js'), join(dist, 'out.js'))
  execFileSync('mkfifo', [join(dist, 'pipe')])
  const { findings, gaps } = await auditPaths(['dist'], made.folder)
  expect(findings).toHaveLength(1)
  expect(gaps.map(({ location }) => location).sort()).toEqual(['dist/out.js', 'dist/pipe'])
})

test('reads no device and no socket', async () => {
  await using made = await folderOf({ 'dist/a.js': `k = "${key}"` })
  const server = createServer().listen(join(made.folder, 'dist', 'socket'))
  await once(server, 'listening')
  const { findings, gaps } = await auditPaths(['dist', '/dev/zero'], made.folder)
  server.close()
  expect(findings).toHaveLength(1)
  expect(gaps).toMatchObject([
    { location: '/dev/zero', reason: 'not a regular file' },
    { location: 'dist/socket', reason: 'not a regular file' },
  ])
})

test('reads a file whose name is no UTF-8, in a folder whose name is none either', async () => {
  await using made = await folderOf({ 'dist/a.txt': 'x' })
  const folder = Buffer.concat([Buffer.from(join(made.folder, 'dist/')), Buffer.from([0xff, 0x64])])
  await mkdir(folder)
  await writeFile(Buffer.concat([folder, Buffer.from([0x2f, 0xfe, 0x61])]), `k = "${key}"`)
  const { findings, gaps } = await auditPaths(['dist'], made.folder)
  expect(findings).toMatchObject([{ location: 'dist/%FFd/%FEa', length: key.length }])
  expect(gaps).toEqual([])
})

test('says that an empty folder, and an empty file, was not audited', async () => {
  await using made = await folderOf({ 'dist/empty.txt': '' })
  expect((await auditPaths(['dist'], made.folder)).gaps).toMatchObject([
    { rule: 'AUD-095', location: 'dist' },
  ])
  const { gaps } = await auditPaths(['dist/empty.txt'], made.folder)
  expect(gaps.map(({ reason }) => reason)).toEqual(['an empty file'])
})

test('says which path cannot be audited, and why', async () => {
  await using made = await folderOf({ 'a.js': 'x', 'gone.js': 'x' })
  await symlink('nowhere', join(made.folder, 'broken'))
  await symlink('circle', join(made.folder, 'circle'))
  await using gone = await open(join(made.folder, 'gone.js'))
  await rm(join(made.folder, 'gone.js'))
  const deleted = `/proc/self/fd/${gone.fd}`
  for (const [path, reason] of [
    ['missing', 'does not exist'],
    ['a.js/b', 'does not exist'],
    ['broken', 'is a link to a target that does not exist'],
    ['circle', 'cannot be read (ELOOP)'],
    [deleted, 'is a pipe or a deleted file; name a file or folder to audit'],
  ] as const)
    await expect(auditPaths([path], made.folder)).rejects.toMatchObject({ message: `${path} ${reason}` })
})
