import { expect, test } from 'vitest'
import { createRandom } from '../testing/fuzz.ts'
import { findRuns, findRunsScalar } from './find-runs.ts'

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

test('finds the same runs with SIMD as without, also where they end with the bytes', () => {
  for (let size = 0; size < 1500; size++) {
    const bytes = material(size, size)
    expect(findRuns(bytes), `${size} bytes`).toEqual(findRunsScalar(bytes))
  }
})

test('runs go on from one piece that is searched at once into the next', () => {
  const border = 256 * 1024
  for (const size of [border - 1, border, border + 1, border + 63, border + 65]) {
    const bytes = material(size, size)
    bytes.fill('Q', border - 70, Math.min(size, border + 30))
    expect(findRuns(bytes), `${size} bytes`).toEqual(findRunsScalar(bytes))
  }
})

test('goes on where there are more runs than the kernel keeps', () => {
  expect(findRuns(Buffer.from(`${'a'.repeat(40)}.`.repeat(20_000))).digits).toHaveLength(40_000)
})
