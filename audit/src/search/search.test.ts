import { expect, test } from 'vitest'
import { createRandom } from '../testing/fuzz.ts'
import { createSearcher } from './create-searcher.ts'
import { escapeOf } from './escapes.ts'
import { type Needle, needlesFor } from './needles.ts'
import type { Searcher } from './search.ts'

const nameOf = ({ wanted, encoding, view, spelling }: Needle) =>
  `${wanted} ${encoding.name} ${view} ${spelling.text}`

/** Everything that a search calls, in one order. */
function found(searcher: Searcher, bytes: Buffer): string[] {
  const all: string[] = []
  searcher.search(bytes, {
    needle: (offset, needle) => all.push(`${nameOf(needle)} at ${offset}`),
    xored: (offset, key) => all.push(`xor ${key} at ${offset}`),
    escape: (offset) => all.push(`escape at ${offset}`),
  })
  return all.sort()
}

/** The same without the kernel: everything is compared at every place. */
function foundByHand(needles: readonly Needle[], prefix: string, bytes: Buffer): string[] {
  const isEscape = escapeOf(prefix)
  const letters = Buffer.from(prefix)
  const all: string[] = []
  for (let at = 0; at < bytes.length; at++) {
    const startsWith = (wanted: Uint8Array) => bytes.subarray(at, at + wanted.length).equals(wanted)
    for (const needle of needles) if (startsWith(needle.bytes)) all.push(`${nameOf(needle)} at ${at}`)
    const key = (bytes[at] ?? 0) ^ (letters[0] ?? 0)
    if (key !== 0 && startsWith(letters.map((byte) => byte ^ key))) all.push(`xor ${key} at ${at}`)
    if (isEscape(bytes, at)) all.push(`escape at ${at}`)
  }
  return all.sort()
}

const prefixes = ['ac_live_', 'sk-test:', 'aaaaaa']
const alphabets = [
  Array.from({ length: 256 }, (_, byte) => byte),
  [...Buffer.from('acliveACLIVE_%\\&#xu{}0123456789;')],
  [...Buffer.from('\0ac_live')],
]

/** Random bytes that hold whole and broken needles, XORed prefixes and escapes, also at the very end. */
function material(prefix: string, seed: number): Buffer {
  const random = createRandom(seed)
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

test('finds the same as a comparison at every place', () => {
  let hits = 0
  for (const prefix of prefixes) {
    const needles = needlesFor(prefix)
    const searcher = createSearcher(needles, prefix)
    for (let seed = 1; seed < 250; seed++) {
      const bytes = material(prefix, seed)
      const expected = foundByHand(needles, prefix, bytes)
      hits += expected.length
      expect(found(searcher, bytes), `seed ${seed} of ${prefix}`).toEqual(expected)
    }
  }
  expect(hits).toBeGreaterThan(2000)
})

test('finds every needle wherever it lies between the pieces that are searched at once', () => {
  const needles = needlesFor('ac_live_')
  const searcher = createSearcher(needles, 'ac_live_')
  const border = 256 * 1024
  for (const needle of needles.filter((_, index) => index % 7 === 0))
    for (let offset = border - needle.bytes.length - 17; offset <= border + 17; offset++) {
      const bytes = Buffer.alloc(border + 128)
      needle.bytes.copy(bytes, offset)
      expect(found(searcher, bytes)).toContain(`${nameOf(needle)} at ${offset}`)
    }
})

test('goes on where there are more marks than the kernel keeps', () => {
  const needles = needlesFor('ac_live_')
  const searcher = createSearcher(needles, 'ac_live_')
  const bytes = Buffer.from('ac_live_'.repeat(100_000))
  expect(found(searcher, bytes).filter((hit) => hit.startsWith('key plain utf-8 '))).toHaveLength(100_000)
})
