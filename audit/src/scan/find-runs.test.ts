import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createRandom } from '../testing/fuzz.ts'
import { findAllRuns, findRuns, runsIn } from './find-runs.ts'
import { unwrappedValues } from './wrapped-values.ts'

const alphabets = ['A b', 'abcXYZ09+/', '0123456789abcdef', '1,2 ', '%41\\x41&#', ' \n', '\0', '\xff'].map(
  (text) => [...Buffer.from(text, 'latin1')],
)

/** Runs of all lengths around those that count, of all classes, also in UTF-16. */
function material(seed: number, size: number): Buffer {
  const random = createRandom(seed)
  const parts: Buffer[] = []
  for (let length = 0; length < size; length += parts.at(-1)?.length ?? size) {
    const alphabet = alphabets[random(alphabets.length)] ?? []
    const text = Buffer.from(
      Array.from({ length: 1 + random(90) }, () => alphabet[random(alphabet.length)] ?? 0),
    )
    parts.push(random(4) === 0 ? Buffer.from(text.toString('latin1'), 'utf16le') : text)
  }
  return Buffer.concat(parts).subarray(0, size)
}

/** Where runs of a class begin and end, in turns, as a regular expression finds them. */
function runsOf(bytes: Buffer, characters: string): number[] {
  const found = bytes.toString('latin1').matchAll(new RegExp(`[${characters}]{40,}`, 'g'))
  return [...found].flatMap(({ 0: run, index }) => [index, index + run.length])
}

test('finds the runs that a regular expression finds, also where they end with the bytes', () => {
  for (let size = 0; size < 1500; size++) {
    const bytes = material(size, size)
    for (const find of [findRuns, findAllRuns]) {
      const { lists } = find(bytes, false)
      expect(placesIn(lists), `${size} bytes`).toEqual(runsOf(bytes, '0-9a-fA-FxX,\\t\\n\\v\\f\\r -'))
    }
    const { digits } = findAllRuns(bytes, false)
    expect(placesIn(digits), `${size} bytes`).toEqual(runsOf(bytes, 'A-Za-z0-9+/_=\\\\%&#;-'))
  }
})

test('finds digits in UTF-16, but not where the bytes are no UTF-16', () => {
  const wide = Buffer.from('a'.repeat(40), 'utf16le')
  const bytes = Buffer.concat([Buffer.from('..'), wide, Buffer.from('..x')])
  for (const find of [findRuns, findAllRuns]) {
    expect(placesIn(find(bytes, false).wide)).toEqual([2, 82])
    expect(find(bytes, true).wide).toEqual([])
  }
})

/** Values in base64 of text, of compressed and of random bytes, in hex, wrapped in lines, and names like them. */
function values(seed: number): Buffer {
  const random = createRandom(seed)
  const text = () => Buffer.from('{"a":"some text"}'.repeat(1 + random(12)).slice(random(17)))
  const noise = () => Buffer.from(Array.from({ length: 20 + random(400) }, () => random(256)))
  const wrapped = (some: string) => some.replace(/.{76}/g, random(2) === 0 ? '$&\n' : '$&\r\n  ')
  const makers = [
    () => text().toString('base64'),
    () => wrapped(text().toString('base64')),
    () => wrapped(noise().toString('base64')),
    () => noise().toString('base64url'),
    () => deflateRawSync(text()).toString('base64'),
    () => deflateSync(text()).toString('base64'),
    () => gzipSync(text()).toString('base64'),
    () => noise().toString('hex'),
    () => `_ZN2v88internal${random(99)}FactoryBaseINS0_12LocalFactoryEE${random(1e6)}NewProperArray`,
    () => 'org/example/name/of/some/package/and/its/Class%20Name',
    () => [...noise()].join(', '),
  ]
  const made = Array.from({ length: 30 }, () => makers[random(makers.length)]?.() ?? '')
  return Buffer.from(made.join([' ', '"', '\0', '\n'][random(4)]), random(4) === 0 ? 'utf16le' : 'latin1')
}

test('leaves out no run that decoding would look at', () => {
  let count = 0
  for (let seed = 0; seed < 300; seed++) {
    const bytes = values(seed)
    const all = [...unwrappedValues(bytes, { find: findAllRuns })]
    expect([...unwrappedValues(bytes)], `seed ${seed}`).toEqual(all)
    count += all.length
  }
  expect(count).toBeGreaterThan(3000)
})

test('finds what lies across the pieces in which large files are looked at, and runs that are longer', () => {
  for (const [length, width] of [
    [41, 1],
    [300_000, 1],
    [700_000, 1],
    [600_000, 2],
    [82, 2],
  ] as const)
    for (const before of [0, 262_100, 262_101, 262_143, 262_144, 524_288]) {
      const text = 'QUJD'.repeat(length / 4 + 1).slice(0, length / width)
      const run = Buffer.from(text, width === 2 ? 'utf16le' : 'latin1')
      const bytes = Buffer.concat([Buffer.alloc(before, 1), run, Buffer.alloc(100, 1)])
      const [ours, theirs] = [findRuns, findAllRuns].map((find) => find(bytes, false))
      expect(placesIn((width === 1 ? ours?.digits : ours?.wide) ?? []), `${before}`).toEqual([
        before,
        before + run.length,
      ])
      expect(placesIn(ours?.wide ?? [])).toEqual(placesIn(theirs?.wide ?? []))
    }
})

function placesIn(runs: readonly number[]): number[] {
  return [...runsIn(runs)].flatMap(({ start, end }) => [start, end])
}
