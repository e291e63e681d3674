import { expect, test } from 'vitest'
import { cluesFor } from './clues.ts'
import { createClueMarker } from './mark-clues.ts'
import { markedPlaces } from './marked-places.ts'

const mark = createClueMarker(cluesFor('ac_live_'))
const windowLength = 1024 * 1024
const sign = '"ac_live"'

test.each([0, 7, 4000, windowLength - 20, windowLength - 4, windowLength, 2 * windowLength + 5])(
  'tells parts of a text that hold a sign at %i from others',
  (at) => {
    if (mark === null) throw new Error('the platform has no SIMD')
    const text = `${'x'.repeat(at)}${sign}${'x'.repeat(3 * windowLength - at)}`
    const isMarked = markedPlaces(text, mark)
    expect(isMarked(at, at + sign.length)).toBe(true)
    expect(isMarked(0, text.length)).toBe(true)
    expect(isMarked(at, at + 1)).toBe(false)
    expect(isMarked(0, at)).toBe(false)
    expect(isMarked(at + sign.length, text.length)).toBe(false)
  },
)
