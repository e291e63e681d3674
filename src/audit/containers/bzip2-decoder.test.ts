import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRandom } from '../testing/fuzz.ts'
import { expandBzip2 } from './bzip2.ts'

const sample = await readFile(join(import.meta.dirname, 'samples', 'blocks.bz2'))
const original = createOriginal()
const bound = 1_000_000

/** Runs of every length around the longest ones, then bytes of which each is half as frequent as the one before. */
function createOriginal(): Buffer {
  const random = createRandom(1)
  const runs = Array.from({ length: 600 }, (_, length) => Buffer.alloc(length, length))
  const skewed = Uint8Array.from({ length: 40_000 }, () => Math.clz32(random(2 ** 32)) * 8 + random(2))
  return Buffer.concat([...runs, skewed, Buffer.alloc(10_000, 'repeated ')])
}

test('blocks, runs and long codes are decompressed', () => {
  expect(expandBzip2(sample, bound)).toEqual({ bytes: original, end: 'whole' })
})

test('streams that follow each other are one', () => {
  const { bytes, end } = expandBzip2(Buffer.concat([sample, sample]), bound)
  expect(end).toBe('whole')
  expect(bytes?.equals(Buffer.concat([original, original]))).toBe(true)
})

test('what is larger than the bound is not decompressed, and what has its size is', () => {
  expect(expandBzip2(sample, original.length - 1)).toEqual({ bytes: null, end: 'limit' })
  expect(expandBzip2(sample, original.length)).toMatchObject({ end: 'whole' })
})

test('a stream that is cut off gives the blocks before', () => {
  for (let length = 10; length < sample.length; length += 97) {
    const { bytes, end } = expandBzip2(sample.subarray(0, length), bound)
    expect(end).toBe('corrupt')
    expect(bytes === null || original.subarray(0, bytes.length).equals(bytes)).toBe(true)
  }
  const cut = expandBzip2(sample.subarray(0, sample.length - 8), bound)
  expect(cut.bytes?.length).toBeGreaterThan(100_000)
})

test('a changed bit is noticed', () => {
  // The last byte may have bits that say nothing.
  for (let at = 4; at < sample.length - 1; at += 53) {
    const changed = Buffer.from(sample)
    changed[at] = (changed[at] as number) ^ (1 << (at % 8))
    expect([at, expandBzip2(changed, bound).end]).not.toEqual([at, 'whole'])
  }
})
