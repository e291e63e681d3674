import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { expect, test } from 'vitest'
import { identifyProcess } from '../../../base/process-identity.ts'
import { confine, publishOn, warnOfPublishing } from './container-limits.ts'
import { isLocalAddress } from './local-address.ts'
import { isOrphan, nameProject, ownerLabel } from './orphans.ts'
import { packFiles } from './pack-files.ts'

test('a container has no privileges and no capabilities, and bounds of memory and processes', () => {
  expect(confine({ capabilities: [], memoryMegabytes: 512 })).toEqual({
    Privileged: false,
    SecurityOpt: ['no-new-privileges'],
    CapDrop: ['ALL'],
    CapAdd: [],
    Memory: 536_870_912,
    MemorySwap: 536_870_912,
    PidsLimit: 1024,
  })
})

test('ports are published on loopback, and nothing is said of it', () => {
  const local = { isLocal: true, host: '127.0.0.1' }
  expect(publishOn(local).HostIp).toBe('127.0.0.1')
  expect(warnOfPublishing(local)).toBeNull()
})

test('an engine on another machine publishes on its addresses, and that is said', () => {
  const remote = { isLocal: false, host: 'docker.acme.example' }
  expect(publishOn(remote).HostIp).toBe('')
  expect(warnOfPublishing(remote)).toMatch(
    /^the container engine is on another machine \(docker\.acme\.example\): .+ all of its addresses/,
  )
})

test.each([
  ['127.0.0.1', true],
  ['localhost', true],
  // An address for documentation, which no machine has.
  ['192.0.2.1', false],
  ['engine.invalid', false],
])('%s is of this machine: %s', async (address, isOwn) => {
  expect(await isLocalAddress(address)).toBe(isOwn)
})

const now = () => Date.now() / 1000
const labelled = (owner: string) => ({ labels: { [ownerLabel]: owner }, createdAt: now() })

/** The owner that a process was which has ended. */
async function ownerThatIsGone(): Promise<string> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'exit')
  return (await identifyProcess()).replace(/-\d+-/, `-${child.pid}-`)
}

test('finds no orphan of a living process', async () => {
  expect(await isOrphan(labelled(await identifyProcess()))).toBe(false)
})

test('finds an orphan of a process that is gone, in a compose project, too', async () => {
  const owner = await ownerThatIsGone()
  expect(await isOrphan(labelled(owner))).toBe(true)
  const labels = { 'com.docker.compose.project': nameProject(owner) }
  expect(await isOrphan({ labels, createdAt: now() })).toBe(true)
})

test('a process that was given the number of another owns nothing of it', async () => {
  const owner = (await identifyProcess()).replace(/\d+$/, '1')
  expect(await isOrphan(labelled(owner))).toBe(true)
})

test('leaves containers of another machine alone for a day', async () => {
  const owner = (await ownerThatIsGone()).replace(/^[0-9a-f]{8}/, '00000000')
  expect(await isOrphan(labelled(owner))).toBe(false)
  expect(await isOrphan({ ...labelled(owner), createdAt: now() - 90_000 })).toBe(true)
})

test.each([
  ['no labels', null],
  ["a user's own project", { 'com.docker.compose.project': 'shop' }],
  ['a label that is none of ours', { [ownerLabel]: 'me' }],
])('%s: no orphan', async (_, labels) => {
  expect(await isOrphan({ labels, createdAt: 0 })).toBe(false)
})

async function unpack(archive: Buffer) {
  const entries = []
  for await (const entry of Readable.from([archive]).pipe(extract())) {
    const { name, type, mode, uid, gid } = entry.header
    entries.push({ name, type, mode, uid, gid, text: await text(entry) })
  }
  return entries
}

test('packs files that all may read, with the folders above them', async () => {
  const files = { '/run/twotoken/cert.pem': 'Zertifikat für alle', '/run/twotoken/key.pem': 'k'.repeat(5000) }
  const folder = { type: 'directory', mode: 0o755, uid: 0, gid: 0, text: '' }
  const file = { type: 'file', mode: 0o444, uid: 0, gid: 0 }
  expect(await unpack(await packFiles(files))).toEqual([
    { ...folder, name: expect.stringMatching(/^run\/?$/) },
    { ...folder, name: expect.stringMatching(/^run\/twotoken\/?$/) },
    { ...file, name: 'run/twotoken/cert.pem', text: files['/run/twotoken/cert.pem'] },
    { ...file, name: 'run/twotoken/key.pem', text: files['/run/twotoken/key.pem'] },
  ])
})
