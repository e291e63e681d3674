import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditPaths } from '../audit/audit.ts'
import { fingerprintOf } from '../model/finding.ts'
import { auditFiles, folderOf, key, placesOf } from '../testing/audit-files.ts'
import { buildTar, buildZip } from '../testing/build-archives.ts'

const harmless = Buffer.from('nothing to see')

/** A gzip member with fields that say something of their own. */
function member({ extra = '', name = '', comment = '', content = harmless }): Buffer {
  const flags = (extra === '' ? 0 : 4) | (name === '' ? 0 : 8) | (comment === '' ? 0 : 16)
  const length = Buffer.alloc(2)
  length.writeUInt16LE(extra.length)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(content), 0)
  trailer.writeUInt32LE(content.length, 4)
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3]),
    ...(extra === '' ? [] : [length, Buffer.from(extra)]),
    ...[name, comment].filter((field) => field !== '').map((field) => Buffer.from(`${field}\0`)),
    deflateRawSync(content),
    trailer,
  ])
}

function skippable(content: string): Buffer {
  const head = Buffer.from('5e2a4d1800000000', 'hex')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, Buffer.from(content)])
}

/** An archive with a comment of its own, of its entry, and an extra field of its entry in the directory. */
function commented({ archive = '', entry = '', extra = '' }): Buffer {
  const zip = buildZip([{ name: 'a.txt', bytes: harmless }])
  const start = zip.readUInt32LE(zip.length - 6)
  const record = Buffer.concat([zip.subarray(start, zip.length - 22), Buffer.from(extra), Buffer.from(entry)])
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt16LE(entry.length, 32)
  const end = Buffer.from(zip.subarray(-22))
  end.writeUInt32LE(record.length, 12)
  end.writeUInt16LE(archive.length, 20)
  return Buffer.concat([zip.subarray(0, start), record, end, Buffer.from(archive)])
}

const zstd = zstdCompressSync(harmless)
const found = { fingerprint: fingerprintOf(key), length: key.length }

test.each<[string, string, Buffer, string]>([
  ['the comment of a gzip file', 'a.gz', member({ comment: key }), 'dist/a.gz'],
  ['the name in a gzip file', 'a.gz', member({ name: key }), 'dist/a.gz'],
  ['the extra field of a gzip file', 'a.gz', member({ extra: `\0\0 ${key} ` }), 'dist/a.gz'],
  [
    'the comment of a second member',
    'a.gz',
    Buffer.concat([gzipSync(harmless), member({ comment: key })]),
    'dist/a.gz',
  ],
  ['the comment of a zip archive', 'a.zip', commented({ archive: key }), 'dist/a.zip'],
  ['the comment of an entry', 'a.zip', commented({ entry: ` ${key} ` }), 'dist/a.zip'],
  ['the extra field of an entry', 'a.zip', commented({ extra: `\0\0\0\0 ${key} ` }), 'dist/a.zip'],
  ['the name of a tar entry', 'a.tar', buildTar({ [`${key}/a.txt`]: harmless }), 'dist/a.tar'],
  ['a frame that zstd skips', 'a.zst', Buffer.concat([zstd, skippable(` ${key} `)]), 'dist/a.zst'],
  ['a first frame that zstd skips', 'a.zst', Buffer.concat([skippable(` ${key} `), zstd]), 'dist/a.zst'],
  [
    'a frame of zstd behind one that is skipped',
    'a.zst',
    Buffer.concat([skippable('x'), zstd, skippable('x'), zstdCompressSync(Buffer.from(` ${key}`))]),
    'dist/a.zst!a',
  ],
])('finds a key in %s', async (_, name, bytes, location) => {
  const { findings, gaps } = await auditFiles({ [name]: bytes })
  expect(findings).toMatchObject([{ rule: 'AUD-001', ...found, location }])
  expect(gaps).toEqual([])
})

test('reports a key in a compressed file once, and not again in the bytes of the file', async () => {
  const text = Buffer.from(`k = "${key}"`)
  const { findings } = await auditFiles({
    'a.gz': Buffer.concat([gzipSync(text, { level: 0 }), member({ comment: 'x', content: text })]),
    'b.zst': Buffer.concat([zstdCompressSync(text), skippable('x')]),
  })
  expect(placesOf(findings)).toEqual(['dist/a.gz!a', 'dist/b.zst!b'])
})

test('finds a key behind compressed data, compressed as well', async () => {
  const { findings } = await auditFiles({
    'a.zst': Buffer.concat([zstd, gzipSync(Buffer.from(`k = "${key}"`))]),
  })
  expect(findings).toMatchObject([{ ...found, location: expect.stringMatching(/^dist\/a\.zst/) }])
})

test('finds a key that is the name of a file, a folder or a link, and shows none', async () => {
  const base64 = Buffer.from(`k=${key}`).toString('base64url')
  await using made = await folderOf({
    [`dist/${key}.txt`]: 'nothing',
    [`dist/empty-${key}`]: '',
    [`dist/${base64}/a.txt`]: 'nothing',
    [`${key}x/dist/a.txt`]: 'nothing',
  })
  await mkdir(join(made.folder, 'dist', `folder ${key}`))
  await symlink('nowhere', join(made.folder, 'dist', `link ${key}`))
  const { findings } = await auditPaths(['dist', `${key}x/dist`], made.folder)
  expect(new Set(placesOf(findings))).toEqual(
    new Set([
      'dist/ac_live_….txt',
      'dist/empty-ac_live_…',
      'dist/folder ac_live_…',
      'dist/link ac_live_…',
      `dist/${base64}`,
      `dist/${base64}/a.txt`,
    ]),
  )
  expect(findings.every(({ fingerprint }) => fingerprint === found.fingerprint)).toBe(true)
  expect(JSON.stringify(findings)).not.toContain(key.slice(8, 14))
})

const script = `use("ac_" + "live_" + "${key.slice(8)}")`
const map = (content: string) =>
  JSON.stringify({ version: 3, sources: ['a'], mappings: '', sourcesContent: [content] })
const inline = (content: string) =>
  `f()\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map(content)).toString('base64')}`

test.each<[string, string, (content: string) => string]>([
  ['a source map', 'a.js.map', map],
  ['an inline source map', 'a.js', inline],
])('finds a key that is put together in %s inside another, twelve times', async (_, name, wrap) => {
  let content = script
  for (let depth = 0; depth < 12; depth++) content = wrap(content)
  const { findings } = await auditFiles({ [name]: content })
  expect(findings).toContainEqual(expect.objectContaining({ rule: 'AUD-005', ...found }))
})

test('says so where maps and their sections go on inside each other', async () => {
  let inlined = script
  for (let depth = 0; depth < 30; depth++) inlined = inline(inlined)
  let sections: object = { sources: ['a'], sourcesContent: [script] }
  for (let depth = 0; depth < 30; depth++) sections = { sections: [{ map: sections }] }
  const { gaps } = await auditFiles({
    'a.js': inlined,
    'b.js.map': JSON.stringify({ version: 3, sources: [], mappings: '', ...sections }),
  })
  expect(gaps).toMatchObject([
    { rule: 'AUD-093', location: expect.stringMatching(/^dist\/a\.js/) },
    { rule: 'AUD-093', location: 'dist/b.js.map' },
  ])
})

test('says so where code is in code in code', async () => {
  const content = Array.from({ length: 3 }).reduce<string>((code) => `eval(${JSON.stringify(code)})`, script)
  const { gaps } = await auditFiles({ 'a.js': content })
  expect(gaps).toMatchObject([{ rule: 'AUD-093', location: 'dist/a.js' }])
})
