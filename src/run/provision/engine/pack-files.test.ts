import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { expect, test } from 'vitest'
import { packFiles } from './pack-files.ts'

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

test('packs no files into an empty archive', async () => {
  expect(await unpack(await packFiles({}))).toEqual([])
})
