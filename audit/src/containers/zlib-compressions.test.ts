import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditFiles, placesOf } from '../testing/audit-files.ts'
import { buildAsar } from '../testing/build-archives.ts'
import { expandLz4Block } from './lz4-block.ts'
import { gzip, zstd } from './zlib-compressions.ts'

const bound = 1024 * 1024
const long = Buffer.alloc(20_000, 'abcdefg')

test('reads a gzip file of many members up to the place where the last one is cut off', () => {
  const file = Buffer.concat([...Array.from({ length: 50 }, () => gzipSync('one ')), gzipSync(long)])
  const expanded = gzip.expand('a.gz', file.subarray(0, -20), bound)
  expect(expanded?.problem?.kind).toBe('corrupt')
  expect(expanded?.bytes?.toString()).toMatch(/^(?:one ){50}abcdefg/)
})

test('reads the first of several members where another one is corrupt, and says where that one ends', () => {
  const [one, two] = [gzipSync('one '), gzipSync('two ')]
  const corrupt = gzipSync(long)
  corrupt.fill(0xff, 12)
  const expanded = gzip.expand('a.gz', Buffer.concat([one, two, corrupt]), bound)
  expect(expanded).toMatchObject({ consumed: one.length, problem: { kind: 'corrupt' } })
  expect(expanded?.bytes?.toString()).toBe('one ')
})

test.each([
  ['gzip', gzip, Buffer.concat([gzipSync(Buffer.alloc(700)), gzipSync(Buffer.alloc(700))])],
  ['zstd', zstd, Buffer.concat([zstdCompressSync(Buffer.alloc(700)), zstdCompressSync(Buffer.alloc(700))])],
])('%s that becomes more than the bound only with its second part is a gap', (_, format, file) => {
  expect(format.expand('a', file, 1000)).toMatchObject({ bytes: null, problem: { kind: 'limit' } })
})

test('keeps the contents of the first frames where there are too many', () => {
  const frame = zstdCompressSync('a')
  const expanded = zstd.expand('a.zst', Buffer.alloc(frame.length * 100_001, frame), bound)
  expect(expanded?.problem?.kind).toBe('limit')
  expect(expanded?.bytes?.equals(Buffer.alloc(100_000, 'a'))).toBe(true)
})

const key = 'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6Dq5Lh0Js'

test('reads equal files that share their bytes', async () => {
  const bytes = Buffer.from(`k = "${key}"`)
  const file = { offset: '0', size: bytes.length }
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}.js`, file]))
  const { findings, gaps } = await auditFiles({ 'a.asar': buildAsar({ files }, bytes) })
  expect(placesOf(findings)).toHaveLength(50)
  expect(gaps).toEqual([])
})

test('a list of more files than can be held is a gap, and not a file that is cut off', async () => {
  const list = Object.fromEntries(Array.from({ length: 400_000 }, (_, index) => [`${index}`, { a: 0, b: 0 }]))
  const { findings, gaps } = await auditFiles({ 'a.asar': buildAsar({ files: list }, Buffer.from(key)) })
  expect(findings).toMatchObject([{ location: 'dist/a.asar' }])
  expect(gaps.map(({ reason }) => reason)).toContain('the list of the files is longer than the limits allow')
})

/** A block with the name of a room, then a key whose prefix is copied from it: its bytes are nowhere in one piece. */
function lz4(filler = 200): { block: Buffer; size: number } {
  const name = Buffer.from('xac_live_roomtitle ')
  const rest = Buffer.from(`${key.slice(8)} ${'.'.repeat(20)}`)
  const block = Buffer.concat([
    Buffer.from([0xf4, name.length - 15]),
    name,
    Buffer.from([name.length - 1, 0]),
    Buffer.from([0xff, rest.length - 15]),
    rest,
    Buffer.from([1, 0, filler - 19]),
    Buffer.from([0x10]),
    Buffer.from('!'),
  ])
  return { block, size: name.length + 8 + rest.length + filler + 1 }
}

function assembly(index: number, { block, size } = lz4()): Buffer {
  const head = Buffer.alloc(12)
  head.write('XALZ')
  head.writeUInt32LE(index, 4)
  head.writeUInt32LE(size, 8)
  return Buffer.concat([head, block])
}

test('expands a block, copies that overlap themselves among it, and no corrupt block', () => {
  const { block, size } = lz4()
  const text = `xac_live_roomtitle ${key} ${'.'.repeat(220)}!`
  // The filler is copied from one byte before it.
  expect(expandLz4Block(block, size)?.toString()).toBe(text)
  expect(expandLz4Block(block, size + 1)).toBeNull()
  expect(expandLz4Block(block.subarray(0, 30), size)).toBeNull()
  expect(expandLz4Block(Buffer.from([0x04, 9, 0, 0x10, 1]), 9)).toBeNull()
})

test.each([
  ['App.dll', assembly(7), 'App.dll'],
  [
    'assemblies.blob',
    Buffer.concat([
      Buffer.from('XABA\x01\0\0\0'),
      assembly(0, { block: Buffer.from([0x10, 65]), size: 1 }),
      assembly(1),
    ]),
    'assembly 1',
  ],
  [
    'libassemblies.arm64-v8a.blob.so',
    Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(100), assembly(3)]),
    'assembly 3',
  ],
])('finds a key in a compressed assembly in %s', async (name, bytes, inner) => {
  const { findings, gaps } = await auditFiles({ [name]: bytes })
  expect(gaps).toEqual([])
  expect(findings).toContainEqual(
    expect.objectContaining({ rule: 'AUD-001', location: `dist/${name}!${inner}`, length: key.length }),
  )
})

test('says that an assembly cannot be opened', async () => {
  const { gaps } = await auditFiles({ 'App.dll': assembly(7).subarray(0, 40) })
  expect(gaps).toMatchObject([{ rule: 'AUD-091', location: 'dist/App.dll!App.dll' }])
})
