import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditFiles, key, placesOf } from '../testing/audit-files.ts'
import { buildAsar } from '../testing/build-asar.ts'
import { buildTar } from '../testing/build-tar.ts'
import { buildZip } from '../testing/build-zip.ts'

const text = Buffer.from(`k = "${key}"`)
const leak = { rule: 'AUD-001', length: key.length }
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
