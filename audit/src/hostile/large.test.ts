import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildAsar, buildTar, buildZip } from '../testing/build-archives.ts'

/** Much less than by default, so that small files are large ones. */
const limits = { wholeBytes: 300_000, heldBytes: 400_000 }
const leak = { rule: 'AUD-001', length: key.length }

/** Bytes that do not compress much, with a key in them. */
function large(at: number, length = 700_000): Buffer {
  const bytes = Buffer.alloc(length)
  for (let index = 0; index < length; index++) bytes[index] = 128 + ((index * 7919 + (index >> 8) * 31) % 101)
  bytes.write(`"${key}"`, at, 'latin1')
  return bytes
}

test('reads a flat file that is too large to hold in windows, without a gap', async () => {
  const { findings, gaps } = await auditFiles({ 'a.bin': large(500_000) }, { limits })
  expect(findings).toMatchObject([{ ...leak, offset: 500_001 }])
  expect(gaps).toEqual([])
})

test('finds a key whole wherever it lies between two windows', async () => {
  const border = 8192 + 4 * 1024 * 1024 + 32_768 - 32_768
  const near = [-key.length - 2, -key.length, -10, -3, 0, 1, 8190, 8192, 32_760, 32_768]
  for (const by of near) {
    const bytes = large(border + by, border + 100_000)
    const { findings } = await auditFiles({ 'a.bin': bytes }, { limits })
    expect(findings, `at ${by}`).toMatchObject([{ ...leak, offset: border + by + 1 }])
  }
})

test.each<[string, string, Buffer, string]>([
  ['deflated', 'a.zip', buildZip([{ name: 'x', bytes: large(600_000) }]), 'dist/a.zip!x'],
  ['stored', 'a.zip', buildZip([{ name: 'x', bytes: large(600_000), stored: true }]), 'dist/a.zip!x'],
  [
    'in a stored archive inside an archive',
    'a.zip',
    buildZip([{ name: 'b.zip', bytes: buildZip([{ name: 'x', bytes: large(600_000) }]), stored: true }]),
    'dist/a.zip!b.zip!x',
  ],
  ['in a tar archive', 'a.tar', buildTar({ x: large(600_000), y: large(10) }), 'dist/a.tar!x'],
  [
    'in an asar archive',
    'a.asar',
    buildAsar({ files: { x: { offset: '0', size: 700_000 } } }, large(600_000)),
    'dist/a.asar!x',
  ],
  ['gzip', 'a.bin.gz', gzipSync(large(600_000)), 'dist/a.bin.gz!a.bin'],
  ['brotli', 'a.bin.br', brotliCompressSync(large(600_000), { params: { 1: 1 } }), 'dist/a.bin.br!a.bin'],
  ['zstd', 'a.bin.zst', zstdCompressSync(large(600_000)), 'dist/a.bin.zst!a.bin'],
])('opens what is too large to hold: %s', async (_, name, bytes, location) => {
  const { findings, gaps } = await auditFiles({ [name]: bytes }, { limits })
  expect(findings).toContainEqual(expect.objectContaining({ ...leak, location }))
  expect(gaps).toEqual([])
})

test('says so where a format would have to be read whole, and finds what plain reading finds', async () => {
  const dex = large(600_000)
  dex.write('dex\n035\0', 0, 'latin1')
  const script = Buffer.from(`${'x = 1;'.repeat(120_000)}k = "${key}"`)
  const { findings, gaps } = await auditFiles({ 'a.dex': dex, 'a.js': script }, { limits })
  expect(findings).toMatchObject([{ ...leak, location: 'dist/a.dex', also: ['dist/a.js'] }])
  expect(gaps).toMatchObject([
    { rule: 'AUD-093', location: 'dist/a.dex' },
    { rule: 'AUD-093', location: 'dist/a.js' },
  ])
})

test('says so where an archive is too large to be opened, inside a compressed file', async () => {
  const zip = buildZip([{ name: 'x', bytes: large(600_000), stored: true }])
  const { findings, gaps } = await auditFiles({ 'a.zip.gz': gzipSync(zip) }, { limits })
  expect(findings).toMatchObject([{ ...leak, location: 'dist/a.zip.gz!a.zip' }])
  expect(gaps).toMatchObject([{ rule: 'AUD-093', location: 'dist/a.zip.gz!a.zip' }])
})

test('sees that a large entry is not what its checksum says', async () => {
  const zip = buildZip([{ name: 'x', bytes: large(600_000), crc: 1 }])
  const { gaps } = await auditFiles({ 'a.zip': zip }, { limits })
  expect(gaps).toMatchObject([{ rule: 'AUD-091', location: 'dist/a.zip!x' }])
})
