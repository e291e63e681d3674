import { expect, test } from 'vitest'
import { auditPaths } from '../engine/audit.ts'
import type { Limits } from '../model/settings.ts'
import { folderOf, key } from '../testing/audit-files.ts'
import { buildZip } from '../testing/build-zip.ts'
import { type Hostile, hostileFile, hostileProgram } from './testing/hostile-files.ts'

const megabyte = 1024 * 1024
const limits: Partial<Limits> = { fileMemory: 128 * megabyte, fileFindings: 1000 }
/** Enough for every honest file, on a busy machine too: a second of a processor. */
const aSecond: Partial<Limits> = { fileSeconds: 1 }

async function audited(files: Readonly<Record<string, Buffer>>, more: Partial<Limits> = {}) {
  await using made = await folderOf(files)
  const settings = { limits: { ...limits, ...more } }
  const { findings, gaps, audited } = await auditPaths(['.'], made.folder, settings, hostileProgram)
  return {
    found: findings.map(({ location, rule, fingerprint }) => `${location} ${rule} ${fingerprint.length}`),
    gaps: gaps.map(({ rule, location, reason }) => `${rule} ${location}: ${reason}`),
    entries: audited[0]?.entries,
  }
}

const plain = Buffer.from(` "${key}" \n`)
const around = (hostile: Hostile) => [
  { name: 'a.txt', bytes: plain },
  { name: 'b.bin', bytes: hostileFile(hostile) },
  { name: 'c.txt', bytes: plain },
]
const each = (names: readonly string[]) => names.map((name) => `${name} AUD-001 23`)

test.each<[Hostile, string]>([
  ['loop', 'AUD-093 ./b.bin: reading it takes longer than 1 s: read as raw bytes'],
  ['heap', 'AUD-093 ./b.bin: reading it takes more than 128 MB of memory: read as raw bytes'],
  ['buffers', 'AUD-093 ./b.bin: reading it takes more than 128 MB of memory: read as raw bytes'],
  ['exit', 'AUD-096 ./b.bin: not read whole: its reader failed (Error); read as raw bytes'],
])('a file whose reader would never end (%s) is a gap, and all files are read', async (hostile, gap) => {
  const files = Object.fromEntries(around(hostile).map(({ name, bytes }) => [name, bytes]))
  expect(await audited(files, hostile === 'loop' ? aSecond : {})).toEqual({
    found: each(['./a.txt', './b.bin', './c.txt']),
    gaps: [gap],
    entries: 3,
  })
})

test('an entry of an archive is read as raw bytes, and the entries behind it as ever', async () => {
  const inner = buildZip(around('loop'))
  const outer = buildZip([
    { name: 'inner.zip', bytes: inner },
    { name: 'z.txt', bytes: plain },
  ])
  expect(await audited({ 'a.apk': outer, 'z.txt': plain }, aSecond)).toEqual({
    found: each([
      './a.apk!inner.zip!a.txt',
      './a.apk!inner.zip!b.bin',
      './a.apk!inner.zip!c.txt',
      './a.apk!z.txt',
      './z.txt',
    ]),
    gaps: ['AUD-093 ./a.apk!inner.zip!b.bin: reading it takes longer than 1 s: read as raw bytes'],
    entries: 5,
  })
})

test('a file with more findings than the limit is given up, with those that are within it', async () => {
  const { found, gaps } = await audited({ 'a.bin': hostileFile('flood'), 'b.txt': plain })
  expect(found).toEqual(each(['./a.bin', './b.txt']))
  expect(gaps).toContain('AUD-093 ./a.bin: more than 1000 findings and gaps: not read to its end')
  // Some more of them were on their way when the thread was ended.
  expect(gaps.filter((gap) => gap.startsWith('AUD-095 ./a.bin')).length).toBeGreaterThanOrEqual(1000)
})

test('a file is given up after too many entries that would never end', async () => {
  const entries = Array.from({ length: 10 }, (_, index) => ({
    name: `${index}.bin`,
    bytes: hostileFile('exit'),
  }))
  const { found, gaps } = await audited({ 'a.zip': buildZip(entries), 'b.txt': plain })
  expect(gaps).toHaveLength(9)
  expect(gaps.filter((gap) => gap.endsWith('not read to its end'))).toHaveLength(1)
  expect(found.at(-1)).toBe('./b.txt AUD-001 23')
  expect(found.length).toBeGreaterThan(8)
})

test('names of files are searched also where a thread was ended', async () => {
  const { found } = await audited({ [`${key}.bin`]: hostileFile('exit') })
  expect(found).toHaveLength(1)
  expect((await audited({ [`${key}/b.bin`]: hostileFile('exit') })).found).toHaveLength(2)
})
