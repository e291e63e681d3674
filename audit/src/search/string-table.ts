import type { View } from './needles.ts'

/** Strings by a format's own table, and the parts of the file of which it knows every string. */
export interface StringTable {
  readonly extents: Iterable<Extent>
  readonly regions: readonly Stretch[]
}

export interface Stretch {
  readonly start: number
  readonly end: number
}

/** A string as a format's own table describes it. */
export interface Extent extends Stretch {
  readonly view: View
  readonly role: 'value' | 'name'
  /** The string that names it, such as the key of a dictionary; a function reads it where a table has very many. */
  readonly named?: Name | (() => Name | undefined) | undefined
}

export type Name = Pick<Extent, 'start' | 'end' | 'view'>

export interface Found {
  /** The strings that contain the stretch whole. */
  readonly extents: readonly Extent[]
  /** True where strings cover all of it, none contains it whole, and the table knows each string there. */
  readonly isTorn: boolean
  /** True where a string contains it in the other byte order of UTF-16. */
  readonly isMisread: boolean
}

/** Strings that hold all places to look at; more of them are one in the other, as in no real file. */
const mostKept = 100_000

/** Keeps the strings that reach into a stretch; the others may be millions. @throws RangeError where too many do */
export function reachingInto(stretches: readonly Stretch[], extents: Iterable<Extent>): Extent[] {
  const lookedAt = createIndex(stretches)
  const kept: Extent[] = []
  for (const extent of extents) {
    if (lookedAt(extent.start, extent.end).next().done === true) continue
    if (kept.push(extent) > mostKept) throw new RangeError('too many strings are one in the other')
  }
  return kept
}

/** Looks a stretch of bytes up in a table; `null` once this has cost too much. */
export type Lookup = (start: number, end: number, view: View) => Found | null

const maxSteps = 20_000_000

/** Strings may overlap, and a hostile table may have all of them overlap: what a whole file costs is bounded. */
export function createLookup({ extents, regions }: StringTable): Lookup {
  const lookedAt = createIndex(extents)
  let steps = 0
  return (start, end, view) => {
    const found: Extent[] = []
    let isMisread = false
    let open = end
    const isCovered = regions.some((region) => region.start <= start && end <= region.end)
    for (const extent of lookedAt(start, end)) {
      steps += 1
      if (extent.end <= start) continue
      const isWhole = extent.start <= start && extent.end >= end
      if (isWhole) found.push(extent)
      isMisread ||= isWhole && isWide(extent.view) && isWide(view)
      // Those that end before it and begin behind the next one add nothing to that one.
      if (isCovered && isWide(extent.view) === isWide(view) && extent.end >= open)
        open = Math.min(open, extent.start)
    }
    steps += regions.length
    if (steps > maxSteps) return null
    return { extents: found.reverse(), isTorn: open <= start, isMisread }
  }
}

/**
 * Makes a look at the strings that begin before the end of a stretch, from the last to the first that may reach into it. Each
 * is a step, whether or not it does.
 */
function createIndex<T extends Stretch>(extents: Iterable<T>): (start: number, end: number) => Generator<T> {
  const sorted = [...extents].sort((a, b) => a.start - b.start)
  const reach = new Float64Array(sorted.length)
  for (const [at, { end }] of sorted.entries()) reach[at] = Math.max(end, reach[at - 1] ?? 0)
  return function* (start, end) {
    for (let at = countUntil(sorted, end - 1) - 1; at >= 0 && (reach[at] ?? 0) > start; at--) {
      const extent = sorted[at]
      if (extent !== undefined) yield extent
    }
  }
}

/** The zero before a string in little endian makes it look like one in big endian. */
function isWide(view: View): boolean {
  return view !== 'utf-8'
}

/** How many strings begin at or before an offset. */
function countUntil(sorted: readonly Stretch[], offset: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.start ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}
