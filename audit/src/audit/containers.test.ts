import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditFiles, key, placesOf } from '../testing/audit-files.ts'
import { buildAsar, buildTar, buildZip } from '../testing/build-archives.ts'

const text = Buffer.from(`k="${key}"`)
const one = buildZip([{ name: 'in/a.js', bytes: text }])

test.each<[string, string, Buffer, string]>([
  ['deflated', 'a.apk', one, 'dist/a.apk!in/a.js'],
  ['stored', 'a.apk', buildZip([{ name: 'a.js', bytes: text, stored: true }]), 'dist/a.apk!a.js'],
  ['without a telling name', 'data', one, 'dist/data!in/a.js'],
  [
    'after leading and before trailing data',
    'a.zip',
    Buffer.concat([Buffer.from('#!/bin/sh\n'), one, Buffer.from('end')]),
    'dist/a.zip!in/a.js',
  ],
  ['nested', 'a.xapk', buildZip([{ name: 'base.apk', bytes: one }]), 'dist/a.xapk!base.apk!in/a.js'],
  ['gzip', 'a.js.gz', gzipSync(text), 'dist/a.js.gz!a.js'],
  [
    'a zlib stream inside',
    'a.apk',
    buildZip([{ name: 'c.bin', bytes: deflateSync(text) }]),
    'dist/a.apk!c.bin!c.bin.expanded',
  ],
  ['zlib', 'config.bin', deflateSync(text), 'dist/config.bin!config.bin.expanded'],
  ['brotli', 'a.js.br', brotliCompressSync(text), 'dist/a.js.br!a.js'],
  ['zstd', 'a.js.zst', zstdCompressSync(text), 'dist/a.js.zst!a.js'],
  [
    'flagged as encrypted though it is not',
    'a.apk',
    buildZip([{ name: 'a.js', bytes: text, flags: 1 }]),
    'dist/a.apk!a.js',
  ],
  [
    'under a method that it does not use',
    'a.apk',
    buildZip([{ name: 'a.js', bytes: text, method: 0x4321 }]),
    'dist/a.apk!a.js',
  ],
])('reads an entry that is %s', async (_, name, bytes, location) => {
  const { findings, gaps } = await auditFiles({ [name]: bytes })
  expect(findings.map((finding) => finding.location)).toEqual([location])
  expect(gaps).toEqual([])
})

test.each<[string, Buffer]>([
  ['tar', buildTar({ 'x.apk': one, 'index.js': text })],
  [
    'asar',
    buildAsar(
      {
        files: {
          'x.apk': { offset: '0', size: one.length },
          'index.js': { offset: `${one.length}`, size: text.length },
        },
      },
      Buffer.concat([one, text]),
    ),
  ],
])('opens a %s that holds a zip as what it is', async (name, bytes) => {
  const { findings, gaps } = await auditFiles({ [name]: bytes })
  expect(placesOf(findings)).toEqual([`dist/${name}!index.js`, `dist/${name}!x.apk!in/a.js`])
  expect(gaps).toEqual([])
})

test('looks between the entries', async () => {
  const { findings } = await auditFiles({
    'a.zip': buildZip([{ name: 'a', bytes: Buffer.from('harmless') }], { gap: text }),
  })
  expect(findings).toMatchObject([{ rule: 'AUD-001', location: 'dist/a.zip' }])
})

test.each<[string, Buffer, string]>([
  ['encrypted', buildZip([{ name: 'x', bytes: Buffer.from('secret'), flags: 1, crc: 1 }]), 'AUD-090'],
  ['of the wrong checksum', buildZip([{ name: 'x', bytes: text, crc: 1 }]), 'AUD-091'],
  [
    'compressed in an unknown way',
    buildZip([{ name: 'x', bytes: Buffer.from('zzz'), method: 14, crc: 1 }]),
    'AUD-092',
  ],
  ['described differently by its headers', buildZip([{ name: 'x', bytes: text, localMethod: 0 }]), 'AUD-097'],
])('reports an entry that is %s', async (_, bytes, rule) => {
  const { gaps } = await auditFiles({ 'a.zip': bytes })
  expect(gaps).toContainEqual(expect.objectContaining({ rule, location: 'dist/a.zip!x' }))
})

test('reports a directory that miscounts', async () => {
  const { gaps } = await auditFiles({ 'a.zip': buildZip([{ name: 'x', bytes: text }], { count: 7 }) })
  expect(gaps).toMatchObject([{ rule: 'AUD-097', location: 'dist/a.zip' }])
})

test('reports a bomb and goes on', async () => {
  const zeros = buildZip([
    { name: 'zeros', bytes: Buffer.alloc(40_000_000) },
    { name: 'a.js', bytes: text },
  ])
  const { findings, gaps } = await auditFiles({ 'bomb.zip': zeros })
  expect(gaps).toMatchObject([{ rule: 'AUD-093', location: 'dist/bomb.zip!zeros' }])
  expect(findings).toMatchObject([{ location: 'dist/bomb.zip!a.js' }])
})

test('a key in the name of an entry is found, with the directory of the archive and without it', async () => {
  const files = [1, 2, 3].map((index) => ({ name: `${index}/${key}.txt`, bytes: Buffer.from('nothing') }))
  const zip = buildZip(files)
  for (const bytes of [zip, zip.subarray(0, zip.readUInt32LE(zip.length - 6))]) {
    const { findings } = await auditFiles({ 'a.zip': bytes })
    expect(findings).toMatchObject([{ rule: 'AUD-001', location: 'dist/a.zip' }])
  }
})
