import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { fingerprintOf } from '../model/finding.ts'
import { auditInMemory } from '../testing/audit-files.ts'

/** Repeats no piece, as a placeholder does. */
const letters = createHash('shake256', { outputLength: 120 })
  .update('a')
  .digest('base64')
  .replaceAll(/[^A-Za-z0-9]/g, '')
const keyOf = (length: number) => `ac_live_${letters}`.slice(0, length)
const lengths = [24, 34, 35, 39, 40, 59, 61, 62, 63, 80, 96, 97, 120]
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))

async function keysIn(...parts: readonly (string | readonly number[])[]) {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )
  const { findings } = await auditInMemory({ location: 'lib.bin', name: 'lib.bin', bytes })
  return findings
    .filter(({ kind }) => kind === 'key')
    .map(({ fingerprint, extent }) => ({ fingerprint, extent }))
}

const header = [0, 255, 1, 0, 2]
const one = (key: string, extent?: 'uncertain') => [{ fingerprint: fingerprintOf(key), extent }]

test.each(lengths)('takes no character before a key of %i characters for its length', async (length) => {
  const key = keyOf(length)
  const around = (char: string, behind: string) => `some words${char}${key}${behind}\0and more of them\0`
  expect(await keysIn(header, ...printable.flatMap((char) => [around(char, ''), header]))).toEqual(one(key))
  expect(await keysIn(header, ...printable.flatMap((char) => [around(char, '"'), header]))).toEqual(one(key))
  for (const quote of ['"', "'", '`']) expect(await keysIn(header, quote, key, quote, [0])).toEqual(one(key))
  const alone = await keysIn(header, ...printable.flatMap((char) => [char, key, [0], 'and more', [0]]))
  expect(alone.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(key)])
})

const field = (tag: number, text: string) => String.fromCharCode(tag, text.length) + text

test.each(lengths)(
  'ends a key of %i characters where its length says, and its neighbours agree',
  async (length) => {
    const key = keyOf(length)
    // Tags of the fields 1, 6, 8 and 15.
    for (const tag of [0x0a, 0x32, 0x42, 0x7a])
      for (const next of ['calling', 'https://api.acme.example/api/v1/calling', 'x'.repeat(50)]) {
        const message = [field(0x0a, 'app'), field(0x12, key), field(tag, next), '\u0080\u0001']
        expect(await keysIn(header, ...message), `${tag} ${next}`).toEqual(one(key))
        expect(await keysIn(...message), `without zeros: ${tag} ${next}`).toEqual(one(key))
      }
  },
)

test('takes no quotation mark before a key in UTF-16 for its length', async () => {
  const key = keyOf(35)
  const wide = Buffer.from(`"${key}`, 'utf16le')
  const [found] = await keysIn(header, [3], [...wide], [0, 9, 65, 0])
  expect(found?.fingerprint).toBe(fingerprintOf(key))
})

test('says that an end is a guess where one byte before the key may be its length', async () => {
  const key = keyOf(59)
  expect(await keysIn(header, [0x12, 0x22], key, [0], 'more', [0])).toEqual(one(key, 'uncertain'))
})

test('ends a key where its length of two bytes says, as Java serialises texts', async () => {
  const wide = (text: string) => `t\0${String.fromCharCode(text.length)}${text}`
  for (const length of lengths) {
    const key = keyOf(length)
    expect(await keysIn([0xac, 0xed, 0, 5], wide(key), wide('calling')), String(length)).toEqual(one(key))
  }
})

test('takes no byte before a key for the length of the prefix alone', async () => {
  const key = keyOf(39)
  expect(await keysIn(header, '\x08', key, [0])).toEqual(one(key))
})
