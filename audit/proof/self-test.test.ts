import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { renderAuditJson } from '../../src/reports/audit/json.ts'
import { renderAuditJunit } from '../../src/reports/audit/junit.ts'
import { renderAuditSarif } from '../../src/reports/audit/sarif.ts'
import { renderAuditText } from '../../src/reports/audit/text.ts'
import { auditInMemory } from '../src/engine/audit-in-memory.ts'
import { createCanaries } from '../src/self-test/canary.ts'
import { loadInjectors } from '../src/self-test/injectors.ts'
import { listFiles } from '../src/self-test/list-files.ts'
import { createPlan, type PlantedCanary } from '../src/self-test/plan.ts'
import { plantCanaries } from '../src/self-test/plant-canaries.ts'
import { folderOf } from '../src/testing/audit-files.ts'
import { buildZip } from '../src/testing/build-zip.ts'
import { createRandom, mutate } from '../src/testing/fuzz.ts'
import { isKnownGap } from './known-gaps.ts'
import { loadSamples, readSample } from './samples.ts'

const samples = await loadSamples()

async function sowInto(
  name: string,
  bytes: Buffer,
): Promise<{ copy: Buffer; canaries: readonly PlantedCanary[]; missed: string[] }> {
  const plan = createPlan(createCanaries('ac_live_', createRandom(20261121)), await loadInjectors())
  const copy = plan.injectInto(name, name, bytes)
  if (copy === null) throw new Error(`nothing was planted into ${name}: ${plan.canaries()[0]?.refused}`)
  const { findings } = await auditInMemory({ location: name, name, bytes: copy })
  const seen = new Set(findings.filter(({ kind }) => kind === 'key').map(({ fingerprint }) => fingerprint))
  const canaries = plan.canaries()
  const missed = canaries
    .filter(({ refused, fingerprint }) => refused === undefined && !seen.has(fingerprint))
    .filter((place) => !isKnownGap(place))
    .map(({ format, slot, encoding, location }) => `${format}: ${slot}, ${encoding} in ${location}`)
  return { copy, canaries, missed }
}

// Rows in UTF-16 are not planted into. Where code puts keys together, a canary in place of a piece is a part of another key.
const hosts = samples.filter(
  ({ format, file }) => !format.startsWith('sqlite UTF-16') && !file.startsWith('assembled-'),
)

test.each(hosts)('canaries planted into $file are found', async (sample) => {
  const { missed, canaries } = await sowInto(sample.file, await readSample(sample))
  expect(missed).toEqual([])
  expect(canaries.some(({ refused }) => refused === undefined)).toBe(true)
})

const files = await Promise.all(
  samples
    .filter(({ file }) =>
      /^(?:classes\.dex|v96\.hbc|Info\.plist|index\.js|config\.json|module\.wasm)$/.test(file),
    )
    .map(async (sample) => ({ name: sample.file, bytes: await readSample(sample) })),
)
const zip = buildZip(files)
const script = Buffer.from('export const answer = 42\n')

test.each<[string, string, Buffer, string]>([
  ['deflated', 'a.zip', zip, 'zip, deflated'],
  ['stored', 'a.zip', buildZip(files.map((file) => ({ ...file, stored: true }))), 'zip, stored'],
  [
    'nested',
    'a.xapk',
    buildZip([{ name: 'base.apk', bytes: zip, stored: true }]),
    'zip, stored > zip, deflated',
  ],
  ['gzip', 'a.js.gz', gzipSync(script), 'gzip'],
  ['zstd', 'a.js.zst', zstdCompressSync(script), 'zstd'],
  ['brotli', 'a.js.br', brotliCompressSync(script), 'brotli'],
])('canaries in a container are found: %s', async (_, name, bytes, container) => {
  const { missed, canaries } = await sowInto(name, bytes)
  expect(missed).toEqual([])
  expect(
    new Set(canaries.filter(({ refused }) => refused === undefined).map((one) => one.container.join(' > '))),
  ).toContain(container)
})

test.each([
  ['UnityFS', 'Unity bundle'],
  ['%PDF-1.7', 'PDF'],
  ['BOMStore', 'asset catalogue'],
])('reports that nothing at hand writes what begins with %s', async (mark, format) => {
  const { canaries, missed } = await sowInto('a.bin', Buffer.from(`${mark}${' '.repeat(600)}`))
  expect(canaries).toContainEqual(expect.objectContaining({ format, refused: `${format} cannot be written` }))
  expect(missed).toEqual([])
})

test('reports a canary that cannot be planted, with the reason', async () => {
  const sample = samples.find(({ file }) => file === 'libgcc64.so')
  if (sample === undefined) throw new Error('the sample is missing')
  const elf = Buffer.from(await readSample(sample))
  elf.writeBigUInt64LE(0n, 40)
  const plan = createPlan(createCanaries('ac_live_'), await loadInjectors())
  expect(plan.injectInto('l.so', 'l.so', elf)).toBeNull()
  expect(plan.canaries().length).toBeGreaterThan(5)
  expect(new Set(plan.canaries().map(({ refused }) => refused))).toEqual(
    new Set(['it has no .rodata section']),
  )
})

test('no report contains more of a planted key than its prefix', async () => {
  const { copy, canaries } = await sowInto(
    'a.zip',
    buildZip(
      await Promise.all(
        samples.map(async (sample) => ({ name: sample.file, bytes: await readSample(sample) })),
      ),
    ),
  )
  const result = await auditInMemory({ location: 'a.zip', name: 'a.zip', bytes: copy })
  expect(canaries.length).toBeGreaterThan(150)
  for (const render of [renderAuditJson, renderAuditText, renderAuditSarif, renderAuditJunit]) {
    const report = render(result)
    expect(canaries.filter(({ key }) => report.includes(key.slice(8, 14)))).toEqual([])
  }
})

test('keys of another prefix are planted and found as such', async () => {
  await using made = await folderOf({ 'dist/b.json': '{}', 'dist/c.txt': 'text' })
  const prefix = 'sk-project-'
  const next = createCanaries(prefix, createRandom(20261121))
  const cells = await plantCanaries(await listFiles(['dist'], made.folder), { prefix }, { nextCanary: next })
  expect(cells.length).toBeGreaterThan(15)
  expect(cells.filter(({ status }) => status !== 'found')).toEqual([])
})

test.each(samples)(
  'a damaged copy of $file is planted into or refused, and nothing is thrown',
  async (sample) => {
    const random = createRandom(20261121)
    const bytes = await readSample(sample)
    for (let index = 0; index < 60; index++) {
      const plan = createPlan(createCanaries('ac_live_', random), await loadInjectors())
      plan.injectInto(sample.file, sample.file, mutate(bytes, random))
      expect(plan.canaries().length).toBeGreaterThan(0)
    }
  },
)
