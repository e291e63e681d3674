import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildElf, buildMachO } from '../testing/build-binary.ts'

/** Damage that leaves a table readable and makes it say something else about where a string ends. */

const spoken = async (name: string, bytes: Buffer) => {
  const { findings, gaps } = await auditFiles({ [name]: bytes })
  return { keys: findings.filter(({ kind }) => kind === 'key'), gaps }
}

const strings = Buffer.from(`text\0${key}\0more text\0`)

test.each([
  ['Mach-O', buildMachO([{ name: '__cstring', bytes: strings, kind: 2 }]), 32 + 72 + 40],
  ['ELF', buildElf([{ name: '.dynstr', bytes: strings, kind: 3 }]), 64 + strings.length + 32],
] as const)('finds a key whole wherever its section of a %s is cut off', async (_, whole, sizeAt) => {
  expect(whole.readBigUInt64LE(sizeAt)).toBe(BigInt(strings.length))
  for (let cut = 0; cut < strings.length; cut++) {
    const bytes = Buffer.from(whole)
    bytes.writeBigUInt64LE(BigInt(cut), sizeAt)
    const { keys } = await spoken('lib', bytes)
    expect(keys).toMatchObject([{ rule: 'AUD-001', length: key.length }])
  }
})

test('finds a key whole in a UTF-16 section that is cut off, at either byte of a character', async () => {
  const wide = Buffer.from(`${key}\0`, 'utf16le')
  for (let cut = 30; cut < 50; cut++) {
    const bytes = buildMachO([{ name: '__ustring', bytes: wide.subarray(0, cut) }])
    const { keys } = await spoken('App', Buffer.concat([bytes, wide.subarray(cut)]))
    expect(keys).toMatchObject([{ rule: 'AUD-001', length: key.length }])
  }
})

test('believes no string storage that begins somewhere else than the rows of long strings say', async () => {
  const sample = await readFile(join(import.meta.dirname, 'samples', 'v89.hbc'))
  for (let more = 1; more < 40; more++) {
    const bytes = Buffer.from(sample)
    bytes.writeUInt32LE(sample.readUInt32LE(56) + more, 56)
    const { keys, gaps } = await spoken('main.jsbundle', bytes)
    expect(keys.length).toBeGreaterThan(0)
    expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
  }
})

test('believes no table of strings that other bytes were put in front of', async () => {
  const sample = await readFile(join(import.meta.dirname, 'samples', 'v89.hbc'))
  const at = sample.indexOf('ac_live_')
  for (let more = 1; more < 64; more++) {
    const bytes = Buffer.concat([sample.subarray(0, at), sample.subarray(at - more, at), sample.subarray(at)])
    const { keys, gaps } = await spoken('main.jsbundle', bytes)
    expect(keys.length).toBeGreaterThan(0)
    expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
  }
})

test.each(['utf-8', 'utf-16le'] as const)(
  'says that a pool does not hold whose %s lengths lead nowhere',
  async (view) => {
    for (const length of [8, 12, 20, key.length + 3]) {
      const { keys, gaps } = await spoken('resources.arsc', poolOf(view, length))
      expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
      expect(keys).toHaveLength(1)
    }
    const { keys, gaps } = await spoken('resources.arsc', poolOf(view, key.length))
    expect(gaps).toEqual([])
    expect(keys).toMatchObject([{ length: key.length, decoder: 'string-table' }])
  },
)

/** A table of resources with one string, which says of itself that it has so many characters. */
function poolOf(view: 'utf-8' | 'utf-16le', length: number): Buffer {
  const isUtf8 = view === 'utf-8'
  const text = isUtf8
    ? Buffer.concat([Buffer.from([length, length]), Buffer.from(`${key}\0abcd`)])
    : Buffer.concat([Buffer.from([length, 0]), Buffer.from(`${key}\0abcd`, 'utf16le')])
  const pool = Buffer.alloc(32)
  pool.writeUInt32LE(0x001c_0001, 0)
  pool.writeUInt32LE(pool.length + text.length, 4)
  pool.writeUInt32LE(1, 8)
  pool.writeUInt32LE(isUtf8 ? 0x100 : 0, 16)
  pool.writeUInt32LE(pool.length, 20)
  const head = Buffer.alloc(12)
  head.writeUInt32LE(0x000c_0002, 0)
  head.writeUInt32LE(head.length + pool.length + text.length, 4)
  return Buffer.concat([head, pool, text])
}
