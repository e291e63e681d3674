import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { auditInMemory } from '../engine/audit-in-memory.ts'
import { fingerprintOf } from '../model/fingerprint.ts'
import { key } from '../testing/audit-files.ts'
import { createRandom } from '../testing/fuzz.ts'

const audit = (name: string, bytes: Buffer) => auditInMemory({ location: name, name, bytes })
const random = createRandom(7)
const noise = (size: number) => Buffer.from(Array.from({ length: size }, () => random(256)))
const text = (secret: string) => `{"key":"${secret}","note":"${'some words '.repeat(20)}"}`
const compressions = { zlib: deflateSync, gzip: gzipSync, zstd: zstdCompressSync }
const clean = 'https://backend.example.com/calling/token'

/** A database as SQLite writes it, with a BLOB in the third row. */
async function databaseWith(blob: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-sqlite-'))
  try {
    const path = join(folder, 'app.db')
    using database = new DatabaseSync(path)
    database.exec('CREATE TABLE files (name TEXT, body BLOB)')
    const insert = database.prepare('INSERT INTO files VALUES (?, ?)')
    for (const [name, body] of [
      ['a', noise(300)],
      ['b', noise(40)],
      ['c', blob],
    ] as const)
      insert.run(name, body)
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Resources of Qt: a head with the places of its parts, and each behind its length and its full length. */
function qtResources(data: Buffer, full: number): Buffer {
  const head = Buffer.from('7172657300000003000000140000001400000014', 'hex')
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32BE(data.length + 4, 0)
  lengths.writeUInt32BE(full, 4)
  return Buffer.concat([head, lengths, data, noise(9)])
}

const files: Readonly<Record<string, (data: Buffer, full: number) => Promise<[string, Buffer]>>> = {
  'a BLOB of SQLite': async (data) => ['app.db', await databaseWith(data)],
  'a long BLOB of SQLite': async (data) => [
    'app.db',
    await databaseWith(Buffer.concat([noise(9000), data, noise(9000)])),
  ],
  'resources of Qt': async (data, full) => ['app.rcc', qtResources(data, full)],
  'resources of GTK': async (data) => [
    'app.gresource',
    Buffer.concat([Buffer.from('GVariant'), noise(40), data, noise(9)]),
  ],
  'resources of Chromium': async (data) => [
    'resources.pak',
    Buffer.concat([Buffer.from('0500000001000000', 'hex'), noise(20), data, noise(9)]),
  ],
}

describe.each(Object.entries(files))('in %s', (_, build) => {
  test.each(Object.entries(compressions))('finds a key under %s', async (_, compress) => {
    const content = text(key)
    const { findings, gaps } = await audit(...(await build(compress(content), content.length)))
    expect(findings.map(({ fingerprint, level }) => [fingerprint, level])).toEqual([
      [fingerprintOf(key), 'error'],
    ])
    expect(gaps).toEqual([])
  })

  test.each(Object.entries(compressions))(
    'reports nothing where there is no key under %s',
    async (_, compress) => {
      const content = text(clean)
      const { findings, gaps } = await audit(...(await build(compress(content), content.length)))
      expect([findings, gaps]).toEqual([[], []])
    },
  )
})

test('finds a key in a row of SQLite that goes on in other pages', async () => {
  const content = Buffer.concat([Buffer.from(text(key)), noise(20_000)])
  const { findings } = await audit('app.db', await databaseWith(deflateSync(content)))
  expect(findings.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(key)])
})

test('reports no gap for bytes that only begin like a stream', async () => {
  const heads = Buffer.concat(
    Array.from({ length: 200 }, () => Buffer.concat([Buffer.from('789c', 'hex'), noise(60)])),
  )
  const { findings, gaps } = await audit('app.db', await databaseWith(heads))
  expect([findings, gaps]).toEqual([[], []])
})

/** As Chromium's packer writes it: a mark, and the full length in six bytes. */
function chromiumBrotli(content: string): Buffer {
  const head = Buffer.from('1e9b000000000000', 'hex')
  head.writeUIntLE(content.length, 2, 6)
  return Buffer.concat([head, brotliCompressSync(content)])
}

test('finds a key under brotli in resources of Chromium', async () => {
  const build = files['resources of Chromium']
  const packed = async (secret: string) => {
    const content = text(secret)
    return audit(...((await build?.(chromiumBrotli(content), content.length)) ?? ['', Buffer.alloc(0)]))
  }
  const { findings } = await packed(key)
  expect(findings.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(key)])
  expect(await packed(clean)).toMatchObject({ findings: [], gaps: [] })
})
