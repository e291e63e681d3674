import { expect, test } from 'vitest'
import { auditInMemory } from '../audit/in-memory.ts'
import { fingerprintOf } from '../model/fingerprint.ts'
import { key } from '../testing/audit-files.ts'

const little = (text: string) => Buffer.from(text, 'utf16le')
const big = (text: string) => little(text).swap16()
const u32 = (value: number) => Buffer.from([value, 0, 0, 0])
const mark = Buffer.from([1, 255, 2, 254])

async function keysIn(...parts: readonly Buffer[]) {
  const { findings } = await auditInMemory({ location: 'a', name: 'a.bin', bytes: Buffer.concat(parts) })
  return findings.map(({ fingerprint, decoder }) => ({ fingerprint, decoder }))
}

// A character behind the text that a reading in the other order takes for its last letter.
const behind = Buffer.from([0x34, 0x12])

test.each([
  ['with a zero before it', [mark, u32(0), little(key), behind]],
  ['behind its length', [mark, Buffer.from([9]), u32(key.length), little(key), behind]],
  ['behind other text', [mark, little(`key=${key}`), behind]],
  ['behind a length of one byte, before another one', [mark, Buffer.from([0x4e]), little(key), behind]],
  ['between zeros', [mark, u32(0), little(key), u32(0)]],
])('reads little endian %s once, and in its order', async (_, parts) => {
  expect(await keysIn(...parts)).toEqual([{ fingerprint: fingerprintOf(key), decoder: 'utf-16le' }])
})

test.each([
  ['alone', [mark, big(key), mark]],
  ['behind other text', [mark, big(`key=${key}`), mark]],
  ['behind its length', [mark, Buffer.from([7, 0, key.length]), big(key), mark]],
])('reads big endian %s once, and in its order', async (_, parts) => {
  expect(await keysIn(...parts)).toEqual([{ fingerprint: fingerprintOf(key), decoder: 'utf-16be' }])
})
