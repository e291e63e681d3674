import { deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { AuditResult } from '../model/finding.ts'
import { auditFiles, key, placesOf } from '../testing/audit-files.ts'
import { buildAsar, buildTar, buildZip, type ZipFile } from '../testing/build-archives.ts'

const text = Buffer.from(`k = "${key}"`)
const leak = { rule: 'AUD-001', length: key.length }
const gapsOf = ({ gaps }: AuditResult) => gaps.map(({ rule, location }) => `${rule} ${location}`)

/** A record of the directory, again and again, for the same local header. */
function overlapping(bytes: Buffer, times: number): Buffer {
  const zip = buildZip([{ name: 'a', bytes }])
  const end = zip.length - 22
  const start = zip.readUInt32LE(end + 16)
  const record = zip.subarray(start, end)
  const tail = Buffer.from(zip.subarray(end))
  tail.writeUInt16LE(times, 8)
  tail.writeUInt16LE(times, 10)
  tail.writeUInt32LE(record.length * times, 12)
  return Buffer.concat([zip.subarray(0, start), ...Array<Buffer>(times).fill(record), tail])
}

/** An archive whose records say everything in their zip64 fields, as one of more than 65,535 entries has to. */
function buildWideZip(files: readonly ZipFile[]): Buffer {
  const zip = buildZip(files, { count: 65_535 })
  const end = zip.length - 22
  const start = zip.readUInt32LE(end + 16)
  const records: Buffer[] = []
  for (let at = start; at < end; at += 46 + zip.readUInt16LE(at + 28)) records.push(wide(zip, at))
  const directory = Buffer.concat(records)
  const tail = Buffer.alloc(56 + 20 + 22, 0xff)
  tail.write('PK\x06\x06', 0, 'latin1')
  for (const [at, value] of [
    [4, 44],
    [24, files.length],
    [32, files.length],
    [40, directory.length],
    [48, start],
  ] as const)
    tail.writeBigUInt64LE(BigInt(value), at)
  tail.write('PK\x06\x07', 56, 'latin1')
  tail.writeBigUInt64LE(BigInt(start + directory.length), 56 + 8)
  tail.write('PK\x05\x06', 76, 'latin1')
  tail.writeUInt16LE(0, 96)
  return Buffer.concat([zip.subarray(0, start), directory, tail])
}

function wide(zip: Buffer, at: number): Buffer {
  const name = zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28))
  const record = Buffer.from(zip.subarray(at, at + 46))
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  for (const [index, field] of [24, 20, 42].entries()) {
    extra.writeBigUInt64LE(BigInt(zip.readUInt32LE(at + field)), 4 + index * 8)
    record.writeUInt32LE(0xffff_ffff, field)
  }
  record.writeUInt16LE(extra.length, 30)
  return Buffer.concat([record, name, extra])
}

test('a flat bomb, of entries that overlap, is not inflated', async () => {
  const result = await auditFiles({ 'bomb.zip': overlapping(Buffer.alloc(12_000_000), 60_000), 'a.js': text })
  expect(gapsOf(result)).toEqual(['AUD-093 dist/bomb.zip', 'AUD-097 dist/bomb.zip'])
  expect(result.findings).toMatchObject([{ ...leak, location: 'dist/a.js' }])
})

test('reads an entry that shares its beginning with a lying entry', async () => {
  const bytes = Buffer.concat([Buffer.alloc(20_000, 'a'), text])
  const zip = overlapping(bytes, 2)
  const first = zip.indexOf('PK\x01\x02')
  zip.writeUInt32LE(zip.readUInt32LE(first + 20) - 20, first + 20)
  expect((await auditFiles({ 'a.zip': zip })).findings).toContainEqual(expect.objectContaining(leak))
})

test('many entries that are encrypted take nothing from what others may become', async () => {
  const encrypted = Array.from({ length: 200 }, (_, at) => ({
    name: `${at}`,
    bytes: Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * (at + 7) * 31) % 251)),
    flags: 1,
  }))
  const others = [{ name: 'last.txt', bytes: Buffer.concat([Buffer.alloc(2_000_000, 'a'), text]) }]
  const { findings } = await auditFiles({ 'a.zip': buildZip([...encrypted, ...others]) })
  expect(findings).toMatchObject([{ ...leak, location: 'dist/a.zip!last.txt' }])
})

test('a nested bomb likewise', async () => {
  const bytes = buildZip([{ name: 'zeros', bytes: Buffer.alloc(9_000_000) }])
  const inner = Array.from({ length: 3000 }, (_, index) => ({ name: `${index}.zip`, bytes }))
  const result = await auditFiles({ 'bomb.zip': buildZip(inner) })
  expect(gapsOf(result)).toContainEqual(expect.stringMatching(/^AUD-093 dist\/bomb\.zip/))
})

test('reads 65,535 entries, and more with zip64', async () => {
  const files = Array.from(
    { length: 65_534 },
    (_, index): ZipFile => ({ name: `${index}`, bytes: Buffer.from('x'), stored: true }),
  )
  const most = await auditFiles({ 'a.zip': buildZip([...files, { name: 'last', bytes: text }]) })
  expect(most.findings).toMatchObject([{ ...leak, location: 'dist/a.zip!last' }])
  expect(most.gaps).toEqual([])
  expect(most.audited).toMatchObject([{ entries: 65_535 }])
  const wide = await auditFiles({
    'a.zip': buildWideZip([...files, ...files.slice(0, 9), { name: 'last', bytes: text }]),
  })
  expect(wide.findings).toMatchObject([{ ...leak, location: 'dist/a.zip!last' }])
  expect(wide.gaps).toEqual([])
})

test('reads both of two entries of one name, and shows a name that leads elsewhere as it is', async () => {
  const { findings, gaps } = await auditFiles({
    'a.zip': buildZip([
      { name: 'x', bytes: Buffer.from('harmless') },
      { name: 'x', bytes: text },
      { name: '../../etc/x', bytes: text },
      { name: '/x\n', bytes: text },
    ]),
  })
  expect(placesOf(findings)).toEqual(['dist/a.zip!../../etc/x', 'dist/a.zip!/x%0A', 'dist/a.zip!x'])
  expect(gaps).toEqual([])
})

test('reads an entry both ways where its headers disagree about its size', async () => {
  const zip = buildZip([{ name: 'a', bytes: text, stored: true }])
  const start = zip.readUInt32LE(zip.length - 6)
  zip.writeUInt32LE(2, start + 20)
  zip.writeUInt32LE(2, start + 24)
  const result = await auditFiles({ 'a.zip': zip })
  expect(result.findings).toMatchObject([leak])
  expect(gapsOf(result)).toContain('AUD-097 dist/a.zip!a')
})

test('looks behind the end of a deflate stream inside an entry', async () => {
  const packed = deflateRawSync(Buffer.from('harmless'))
  const zip = buildZip([{ name: 'a', bytes: Buffer.concat([packed, text]), stored: true }])
  const start = zip.readUInt32LE(zip.length - 6)
  for (const at of [8, start + 10]) zip.writeUInt16LE(8, at)
  expect((await auditFiles({ 'a.zip': zip })).findings).toMatchObject([leak])
})

test('reads every entry of an archive whose end is missing and whose sizes follow the data', async () => {
  const files = ['first', 'second', 'third'].map((name) => ({
    name,
    bytes: Buffer.from(`${name} ${text}`),
    flags: 8,
  }))
  const zip = buildZip(files, { gap: Buffer.from('PK\x07\x08____________') })
  for (let at = zip.indexOf('PK\x03\x04'); at !== -1; at = zip.indexOf('PK\x03\x04', at + 1))
    zip.fill(0, at + 14, at + 26)
  const cut = zip.subarray(0, zip.indexOf('PK\x01\x02'))
  const result = await auditFiles({ 'a.zip': cut })
  expect(placesOf(result.findings)).toEqual(['dist/a.zip!first', 'dist/a.zip!second', 'dist/a.zip!third'])
  expect(gapsOf(result)).toContain('AUD-091 dist/a.zip')
})

test('the same bytes under the same name are reported in each place', async () => {
  const library = Buffer.concat([Buffer.alloc(20_000, 'lib'), text, Buffer.alloc(50)])
  const apk = buildZip([
    { name: 'lib/arm/a.so', bytes: library },
    { name: 'lib/x86/a.so', bytes: library },
  ])
  const { findings, audited } = await auditFiles({
    'a.apks': buildZip([
      { name: '1.apk', bytes: apk },
      { name: '2.apk', bytes: apk },
    ]),
  })
  expect(placesOf(findings)).toEqual([
    'dist/a.apks!1.apk!lib/arm/a.so',
    'dist/a.apks!1.apk!lib/x86/a.so',
    'dist/a.apks!2.apk!lib/arm/a.so',
    'dist/a.apks!2.apk!lib/x86/a.so',
  ])
  expect(audited).toMatchObject([{ entries: 4, bytes: 4 * library.length }])
})

const depthGap = { rule: 'AUD-093' }

test('gzip in gzip, tar in tar and zip in zip are read as bytes from some depth on', async () => {
  let zipped: Buffer = text
  let packed: Buffer = text
  let entry: Buffer = text
  for (let level = 0; level < 40; level++) {
    zipped = gzipSync(zipped, { level: 0 })
    packed = buildTar({ [`${level}.tar`]: packed })
    entry = buildZip([{ name: `${level}.zip`, bytes: entry, stored: true }])
  }
  const { findings, gaps } = await auditFiles({ 'a.gz': zipped, 'a.tar': packed, 'a.zip': entry })
  expect(gaps).toMatchObject([depthGap, depthGap, depthGap])
  expect(findings).toMatchObject([leak])
  expect(placesOf(findings)).toHaveLength(3)
})

test('an asar header may nest without end, lie about offsets and sizes, or repeat one file', async () => {
  let files: object = { 'x.js': { offset: '0', size: text.length } }
  for (let level = 0; level < 400; level++) files = { d: { files } }
  const liar = {
    a: { offset: '-400', size: 10 },
    b: { offset: '1e300', size: 10 },
    c: { offset: '0', size: 1e15 },
    d: { offset: 'x', size: -1 },
  }
  const { findings, gaps } = await auditFiles({
    'deep.asar': buildAsar({ files }, text),
    'liar.asar': buildAsar({ files: liar }, text),
    'unreadable.asar': Buffer.from(buildAsar({ files: liar }, text)).fill('}', 17, 18),
  })
  expect(placesOf(findings)).toEqual(['dist/deep.asar', 'dist/liar.asar!c', 'dist/unreadable.asar'])
  expect(gaps).toMatchObject([
    { rule: 'AUD-091', location: 'dist/deep.asar' },
    { rule: 'AUD-091', location: 'dist/liar.asar' },
    { rule: 'AUD-091', location: 'dist/unreadable.asar' },
  ])
})

test('looks behind the end of a tar archive and between its files', async () => {
  const tar = buildTar({ a: Buffer.from('x') })
  const { findings, gaps } = await auditFiles({
    'behind.tar': Buffer.concat([tar, Buffer.alloc(1024), text]),
    'between.tar': Buffer.concat([tar.subarray(0, 600), text, tar.subarray(600 + text.length)]),
    'cut.tar': buildTar({ a: Buffer.concat([text, Buffer.alloc(2000)]) }).subarray(0, 1024),
  })
  expect(placesOf(findings)).toEqual(['dist/behind.tar', 'dist/between.tar', 'dist/cut.tar!a'])
  expect(gaps).toMatchObject([{ rule: 'AUD-091', location: 'dist/cut.tar' }])
})

test('reads a gzip file with something behind it, or cut off, and says so', async () => {
  const zipped = gzipSync(Buffer.concat([text, Buffer.alloc(30_000, 'abc')]))
  const { findings, gaps } = await auditFiles({
    'behind.gz': Buffer.concat([gzipSync(Buffer.from('harmless')), text]),
    'garbage.gz': Buffer.concat([zipped, Buffer.from('garbage')]),
    'cut.gz': zipped.subarray(0, zipped.length - 12),
  })
  expect(placesOf(findings)).toEqual(['dist/behind.gz', 'dist/cut.gz!cut', 'dist/garbage.gz!garbage'])
  expect(gaps.map(({ rule, location }) => `${rule} ${location}`)).toEqual([
    'AUD-091 dist/behind.gz',
    'AUD-091 dist/cut.gz',
    'AUD-091 dist/garbage.gz',
  ])
})
