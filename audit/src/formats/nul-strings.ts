import type { View } from '../search/needles.ts'
import type { Extent, Stretch } from '../search/string-table.ts'
import { assertHoldable } from './fields.ts'

const least = 8

/**
 * Reads the strings of sections in which each ends with a zero; shorter ones than a prefix are left out. One that its
 * section cuts off goes on to its zero, as it does for a program that reads it.
 * Sections do not overlap: more than twice what the file holds is a trap, and a RangeError.
 */
export function createNulReader(bytes: Buffer) {
  let walked = 0
  return ({ start, end }: Stretch, role: Extent['role'], view: View = 'utf-8'): Extent[] => {
    if (start < 0 || end > bytes.length || start > end) throw new RangeError('a section is outside the file')
    const walk = (bytesRead: number) => {
      walked += bytesRead
      if (walked > bytes.length * 2) throw new RangeError('the sections are longer than the file')
    }
    walk(end - start)
    const unit = view === 'utf-8' ? 1 : 2
    const extents: Extent[] = []
    for (let from = start; from < end; ) {
      assertHoldable(extents.length)
      const zero = nextZero(bytes, from, unit)
      if (zero > end) walk(zero - end)
      if (zero - from >= least * unit) extents.push({ start: from, end: zero, view, role })
      from = zero + unit
    }
    return extents
  }
}

function nextZero(bytes: Buffer, from: number, unit: 1 | 2): number {
  const isZero = (at: number) => unit === 1 || (bytes[at + 1] === 0 && (at - from) % 2 === 0)
  let at = bytes.indexOf(0, from)
  while (at !== -1 && !isZero(at)) at = bytes.indexOf(0, at + 1)
  return at === -1 ? bytes.length : at
}
