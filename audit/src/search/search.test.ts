import { expect, test } from 'vitest'
import { createRandom } from '../testing/fuzz.ts'
import { columnOf } from './column.ts'
import { createSearcher } from './create-searcher.ts'
import { escapeOf } from './escapes.ts'
import { type Needle, needlesFor } from './needles.ts'
import type { Searcher } from './scan-context.ts'
import { createLookup } from './string-table.ts'

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

/** The same without the kernel: each needle is looked for alone, and everything else is compared at every place. */
function foundByHand(needles: readonly Needle[], prefix: string, bytes: Buffer): string[] {
  const isEscape = escapeOf(prefix)
  const letters = Buffer.from(prefix)
  const all: string[] = []
  for (const needle of needles)
    for (let at = bytes.indexOf(needle.bytes); at !== -1; at = bytes.indexOf(needle.bytes, at + 1))
      all.push(`${nameOf(needle)} at ${at}`)
  for (const [at, byte] of bytes.entries()) {
    const key = byte ^ (letters[0] ?? 0)
    if (key !== 0 && letters.every((letter, index) => bytes[at + index] === (letter ^ key)))
      all.push(`xor ${key} at ${at}`)
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

test('finds the same as a search for each needle alone', () => {
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

const isEscape = escapeOf('ac_live_')
const at = (text: string, offset = 0) => isEscape(Buffer.from(text, 'latin1'), offset)

test.each([
  ['%61', '%6C', '%5f', '%61c_live_'],
  ['\\x61', '\\X6c', '\\x5F', '\\u005f', '\\U0063', '\\u{61}', '\\u{000006C}'],
  ['\\141', '\\137', '\\1411'],
  ['&#x61;', '&#X06c;', '&#97;', '&#0099;', '&#108', '&#x00000000000000000000000061;'],
])('reads an escape of one of the characters: %s, and the like', (...texts) => {
  for (const text of texts) {
    expect([text, at(text)]).toEqual([text, true])
    expect([text, at(`a${text}`, 1)]).toEqual([text, true])
  }
})

test.each([
  ['another character', ['%62', '\\x7a', '\\u0062', '\\u{62}', '\\142', '&#x62;', '&#98;']],
  [
    'no escape',
    ['a', '\\', '%', '&', '%zz', '%6', '\\x6', '\\u00', '\\u006', '\\u0161', '\\u{', '\\n', '&97;', '&x61;'],
  ],
  ['digits of another base', ['\\191', '&#9a;', '&#x9g;']],
  ['the end of the bytes', ['&#', '&#x', '&#000', '\\u{0']],
])('%s is none', (_, texts) => {
  for (const text of texts) expect([text, at(text)]).toEqual([text, false])
})

test('columns are counted in UTF-16 units from the start of the line, in any order', () => {
  const lines = ['let a = 1', `${'ü𝒳'.repeat(3000)} b`, '', 'c']
  const text = lines.join('\n')
  const bytes = Buffer.from(text)
  for (const place of ['c', ' b', '𝒳', 'let']) {
    const at = place === 'c' ? text.length - 1 : text.indexOf(place)
    const expected = at - text.lastIndexOf('\n', at - 1)
    expect(columnOf(bytes, Buffer.byteLength(text.slice(0, at)))).toBe(expected)
  }
})

test('a string in one byte order is not read in the other, and what its bytes spell is read', () => {
  const extents = [{ start: 0, end: 40, view: 'utf-16be', role: 'value' }] as const
  const find = createLookup({ extents, regions: [] })
  expect(find(3, 19, 'utf-16le')).toMatchObject({ isMisread: true })
  expect(find(3, 19, 'utf-8')).toMatchObject({ isMisread: false })
})
