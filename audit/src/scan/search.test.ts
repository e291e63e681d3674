import { expect, test } from 'vitest'
import { needlesFor } from './needles.ts'
import { createScalarSearcher } from './scalar-search.ts'
import type { Searcher } from './search.ts'
import { createSimdSearcher } from './simd-search.ts'

/** Everything that a search calls, in one order. */
function found(searcher: Searcher, bytes: Buffer): string[] {
  const all: string[] = []
  searcher.search(bytes, {
    needle: (offset, { form, view, phase }) => all.push(`${form} ${view} ${phase} at ${offset}`),
    xored: (offset, key) => all.push(`xor ${key} at ${offset}`),
    escape: (offset) => all.push(`escape at ${offset}`),
  })
  return all.sort()
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const prefixes = ['ac_live_', 'sk-test:', 'aaaaaa']
const alphabets = [
  Array.from({ length: 256 }, (_, byte) => byte),
  [...Buffer.from('acliveACLIVE_%\\&#xu{}0123456789;')],
  [...Buffer.from('\0ac_live')],
]

/** Random bytes that hold whole and broken needles, XORed prefixes and escapes, also at the very end. */
function material(prefix: string, seed: number): Buffer {
  const random = randomFrom(seed)
  const needles = needlesFor(prefix)
  const alphabet = alphabets[random(alphabets.length)] ?? []
  const noise = (length: number) =>
    Buffer.from(Array.from({ length }, () => alphabet[random(alphabet.length)] ?? 0))
  const planted = () => {
    const { bytes } = needles[random(needles.length)] ?? { bytes: Buffer.alloc(0) }
    const kind = random(4)
    if (kind === 0) return bytes.subarray(0, random(bytes.length + 1))
    if (kind === 1) return Buffer.from(Buffer.from(prefix).map((byte) => byte ^ seed))
    if (kind === 2)
      return Buffer.from(`${prefix.slice(0, 2)}\\x${prefix.charCodeAt(2).toString(16)}${prefix.slice(3)}`)
    return bytes
  }
  return Buffer.concat(Array.from({ length: 1 + random(30) }, () => [noise(random(60)), planted()]).flat())
}

test('finds the same with SIMD as without', () => {
  let hits = 0
  for (const prefix of prefixes) {
    const needles = needlesFor(prefix)
    const kernel = createSimdSearcher(needles, prefix)
    expect(kernel).not.toBeNull()
    const plain = createScalarSearcher(needles, prefix)
    for (let seed = 1; seed < 250; seed++) {
      const bytes = material(prefix, seed)
      const expected = found(plain, bytes)
      hits += expected.length
      expect(kernel === null ? [] : found(kernel, bytes), `seed ${seed} of ${prefix}`).toEqual(expected)
    }
  }
  expect(hits).toBeGreaterThan(2000)
})

test('finds every needle wherever it lies between the pieces that are searched at once', () => {
  const needles = needlesFor('ac_live_')
  const kernel = createSimdSearcher(needles, 'ac_live_')
  const border = 256 * 1024
  for (const needle of needles.filter((_, index) => index % 7 === 0))
    for (let offset = border - needle.bytes.length - 17; offset <= border + 17; offset++) {
      const bytes = Buffer.alloc(border + 128)
      needle.bytes.copy(bytes, offset)
      const seen = kernel === null ? [] : found(kernel, bytes)
      expect(seen).toContain(`${needle.form} ${needle.view} ${needle.phase} at ${offset}`)
    }
})

test('goes on where there are more marks than the kernel keeps', () => {
  const needles = needlesFor('ac_live_')
  const kernel = createSimdSearcher(needles, 'ac_live_')
  const bytes = Buffer.from('ac_live_'.repeat(100_000))
  expect(
    kernel === null ? 0 : found(kernel, bytes).filter((hit) => hit.startsWith('plain utf-8')).length,
  ).toBe(100_000)
})
