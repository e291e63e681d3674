import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMarker, type Pattern } from './marker.ts'
import { kernelModule } from './testing/build-kernel.ts'

test('the committed bytes are those of the source', async () => {
  expect(readFileSync(join(import.meta.dirname, 'bytes.ts'), 'utf8')).toBe(await kernelModule())
})

/** More than the kernel can tell apart. */
const words = Array.from({ length: 150 }, (_, index) => `w${index.toString(36).padStart(3, '-')}`)
const patterns: readonly Pattern[] = words.map((word, index) => ({
  bucket: index % 8,
  classes: [...Buffer.from(word)].map((byte) => [byte]),
}))

function marked(text: string): number[] {
  const offsets: number[] = []
  createMarker(patterns)(Buffer.from(text, 'latin1'), (offset) => offsets.push(offset))
  return offsets
}

test('marks every word, however many there are, at every place of a block', () => {
  for (const word of words)
    for (let offset = 0; offset < 17; offset++)
      expect(marked(`${'.'.repeat(offset)}${word}${'.'.repeat(20)}`)).toEqual([offset])
})
