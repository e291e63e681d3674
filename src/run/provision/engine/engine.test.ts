import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { expect, test } from 'vitest'
import { identifyProcess } from '../../../base/process-identity.ts'
import { confine, packFiles, publishOn, warnOfPublishing } from './container.ts'
import { isLocalAddress } from './engine.ts'
import { isOrphan, nameProject, ownerLabel } from './orphans.ts'

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
const labelled = (owner: string) => ({ [ownerLabel]: owner })
const composed = (project: string) => ({ 'com.docker.compose.project': project })

/** The owner that a process was which has ended. */
async function ownerThatIsGone(): Promise<string> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'exit')
  return (await identifyProcess()).replace(/-\d+-/, `-${child.pid}-`)
}

const alive = await identifyProcess()
const gone = await ownerThatIsGone()
const elsewhere = gone.replace(/^[0-9a-f]{8}/, '00000000')

const yesterday = now() - 90_000

test.each([
  ['of a living process', labelled(alive), now(), false],
  ['of a process that is gone', labelled(gone), now(), true],
  ['of a compose project whose process is gone', composed(nameProject(gone)), now(), true],
  ['of a process whose number another has now', labelled(alive.replace(/\d+$/, '1')), now(), true],
  ['of another machine', labelled(elsewhere), now(), false],
  ['of another machine, of yesterday', labelled(elsewhere), yesterday, true],
  ["of a user's own project", composed('shop'), yesterday, false],
  ['with a label that is none of ours', labelled('me'), yesterday, false],
  ['without labels', null, yesterday, false],
])('a container %s is an orphan, or is not', async (_, labels, createdAt, expected) => {
  expect(await isOrphan({ labels, createdAt })).toBe(expected)
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
