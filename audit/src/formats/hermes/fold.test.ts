import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditInMemory } from '../../engine/audit-in-memory.ts'
import { createRandom, mutate } from '../../testing/fuzz.ts'
import { instructionsOf } from './instructions.ts'

const sample = (version: number) =>
  readFile(join(import.meta.dirname, '../samples', `folded-v${version}.hbc`))
const audit = (bytes: Buffer) => auditInMemory({ location: 'a.hbc', name: 'main.jsbundle', bytes })

test.each([84, 89, 94, 96, 99])(
  'keys that functions of bytecode %i put together are found, and nothing else is made up',
  async (version) => {
    const { findings, gaps } = await audit(await sample(version))
    const made = findings.filter(({ decoder }) => decoder === 'folded')
    expect(made.map(({ rule, length }) => [rule, length])).toEqual(
      Array.from({ length: 9 }, () => ['AUD-005', 32]),
    )
    expect(new Set(made.map(({ fingerprint }) => fingerprint)).size).toBe(9)
    expect(findings.filter(({ decoder }) => decoder !== 'folded')).toEqual([])
    expect(gaps).toEqual([])
  },
)

test.each([89, 99])(
  'finds the keys that objects of the platform and unknown conditions put together (bytecode %i)',
  async (version) => {
    const bytes = await readFile(join(import.meta.dirname, '../samples', `platform-v${version}.hbc`))
    const { findings, gaps } = await audit(bytes)
    const keys = findings.filter(({ level, length = 0 }) => level === 'error' && length >= 32)
    expect(new Set(keys.map(({ fingerprint }) => fingerprint)).size).toBe(18)
    expect(findings.filter((finding) => finding.level !== 'note' && !keys.includes(finding))).toEqual([])
    expect(gaps).toEqual([])
  },
)

test.each([
  ['places', 89],
  ['places', 99],
  ['turns', 89],
  ['turns', 99],
  ['nested', 89],
  ['nested', 99],
  ['bytes', 89],
  ['iterator', 89],
  ['iterator', 99],
  ['spread', 99],
  ['private', 99],
  ['choice', 99],
  ['order', 96],
  ['order', 99],
  ['promised', 96],
  ['promised', 99],
] as const)('finds the key of a text made by %s (bytecode %i)', async (kind, version) => {
  const bytes = await readFile(join(import.meta.dirname, '../samples', `${kind}-v${version}.hbc`))
  const { findings, gaps } = await audit(bytes)
  expect(findings.map(({ rule, length = 0 }) => [rule, length >= 32])).toEqual([['AUD-005', true]])
  expect(gaps).toEqual([])
})

test.each([
  ['under masks, in tables, with other orders or alphabets', 'disguised', 89, 6],
  ['the same, and of classes', 'disguised', 99, 8],
  ['of a counter, a variable that another function changes, and a query', 'changing', 89, 3],
  ['of a counter, a variable that another function changes, and a query', 'changing', 99, 3],
  ['of words apart from each other in one text', 'apart', 89, 3],
  ['of words apart from each other in one text', 'apart', 99, 3],
  ['of patterns, types, collections, hooks, storages and wrapped promises', 'runtime', 96, 12],
  ['of patterns, types, collections, hooks, storages and wrapped promises', 'runtime', 99, 12],
] as const)(
  'finds keys %s, and takes names for none (%s, bytecode %i)',
  async (_, sample, version, count) => {
    const sampled = (name: string) =>
      readFile(join(import.meta.dirname, `../samples/${name}-v${version}.hbc`))
    const { findings, gaps } = await audit(await sampled(sample))
    expect(findings.map(({ rule, length }) => [rule, length])).toEqual(
      Array.from({ length: count }, () => ['AUD-005', 32]),
    )
    expect(gaps).toEqual([])
    const names = await audit(await sampled(`${sample}-names`))
    expect(names.findings.filter(({ level }) => level !== 'note')).toEqual([])
    expect(names.gaps).toEqual([])
  },
)

test.each([96, 99])(
  'finds the keys in modules of Metro, each with what others export (bytecode %i)',
  async (version) => {
    const bytes = await readFile(join(import.meta.dirname, '../samples', `modules-v${version}.hbc`))
    const { findings, gaps } = await audit(bytes)
    expect(findings.map(({ rule, length }) => [rule, length])).toEqual(
      Array.from({ length: 6 }, () => ['AUD-005', 35]),
    )
    expect(gaps).toEqual([])
  },
)

test.each([96, 99])(
  'finds the calls that clients of HTTP make of a base and a path (bytecode %i)',
  async (version) => {
    const bytes = await readFile(join(import.meta.dirname, '../samples', `calls-v${version}.hbc`))
    const { findings } = await auditInMemory(
      { location: 'a.hbc', name: 'main.jsbundle', bytes },
      { mintHost: 'api.acme.example' },
    )
    expect(findings.filter(({ rule }) => rule === 'AUD-020')).not.toEqual([])
    const elsewhere = await auditInMemory(
      { location: 'a.hbc', name: 'main.jsbundle', bytes },
      { mintHost: 'mint.acme.example' },
    )
    expect(elsewhere.findings.filter(({ level }) => level === 'error')).toEqual([])
  },
)

test('the instructions of a version that no engine was released with are not guessed', async () => {
  const bytes = Buffer.from(await sample(96))
  bytes.writeUInt32LE(97, 8)
  const { findings } = await audit(bytes)
  expect(findings.filter(({ decoder }) => decoder === 'folded')).toEqual([])
  expect(instructionsOf(97)).toBeNull()
})

test.each([
  [84, 185],
  [85, 187],
  [89, 190],
  [90, 190],
  [94, 192],
  [96, 192],
  [98, 219],
  [99, 220],
])('bytecode %i has %i instructions', (version, count) => {
  expect(instructionsOf(version)).toHaveLength(count)
})

test.each([84, 99])('damaged code of bytecode %i neither stops the audit nor takes long', async (version) => {
  const whole = await sample(version)
  const random = createRandom(18)
  const begun = process.cpuUsage()
  for (let index = 0; index < 150; index++) {
    const { gaps } = await audit(mutate(whole, random))
    expect(gaps.filter(({ reason }) => reason.includes('failed'))).toEqual([])
  }
  const { user, system } = process.cpuUsage(begun)
  expect((user + system) / 1e6).toBeLessThan(5)
})

test('functions that contain each other end', async () => {
  const samples = join(import.meta.dirname, '../../../proof/samples')
  const bytes = await readFile(join(samples, 'v99.hbc'))
  // The operand of an instruction that makes a closure then names a function around it.
  bytes[2509] = 0x80
  const { findings, gaps } = await audit(bytes)
  expect(findings.filter(({ rule }) => rule === 'AUD-001' || rule === 'AUD-005')).not.toEqual([])
  expect(gaps).toEqual([])
})

test('tables that do not parse are a gap, since they alone say where the functions are', async () => {
  const bytes = Buffer.from(await sample(96))
  bytes.writeUInt32LE(0xffff, 44)
  const { gaps } = await audit(bytes)
  expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
})

test('a function without an end, and one whose code is that of all others, cost what the file is worth', async () => {
  const bytes = Buffer.from(await sample(96))
  const functions = bytes.readUInt32LE(40)
  for (let index = 0; index < functions; index++) {
    const at = 128 + index * 16
    bytes.writeUInt32LE((bytes.readUInt32LE(at) & ~0x1ff_ffff) | (128 + index), at)
    bytes.writeUInt32LE((bytes.readUInt32LE(at + 4) & ~0x7fff) | 0x7fff, at + 4)
  }
  const { gaps } = await audit(bytes)
  expect(gaps).toEqual([])
})
