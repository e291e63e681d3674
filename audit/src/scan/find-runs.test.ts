import { expect, test } from 'vitest'
import { createRandom } from '../testing/fuzz.ts'
import { findRuns } from './find-runs.ts'

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
    const { digits, lists } = findRuns(bytes)
    expect(digits, `${size} bytes`).toEqual(runsOf(bytes, 'A-Za-z0-9+/_=\\\\%&#;-'))
    expect(lists, `${size} bytes`).toEqual(runsOf(bytes, '0-9a-fA-FxX,\\t\\n\\v\\f\\r -'))
  }
})

test('finds digits in UTF-16, but not where the bytes are no UTF-16', () => {
  const wide = Buffer.from('a'.repeat(40), 'utf16le')
  const bytes = Buffer.concat([Buffer.from('..'), wide, Buffer.from('..x')])
  expect(findRuns(bytes).wide).toEqual([2, 82])
  expect(findRuns(bytes, true).wide).toEqual([])
})
