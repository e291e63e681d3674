import type { Pattern } from '../../scan/kernel/marker.ts'

const buckets = 8
const places = [0, 1, 2, 3]

/** Bytes that a bucket's tables let pass: for each place a bit for each low and each high half. */
interface Passing {
  readonly lows: readonly number[]
  readonly highs: readonly number[]
  /** How much of a script passes. */
  readonly cost: number
}

const nothing: Passing = { lows: [0, 0, 0, 0], highs: [0, 0, 0, 0], cost: 0 }

/** Puts together what lets few other texts pass, the widest first. @returns the bucket of each pattern */
export function assignBuckets(patterns: readonly Pattern['classes'][]): number[] {
  const passing = Array.from({ length: buckets }, () => nothing)
  const chosen: number[] = []
  const own = patterns.map((classes, index) => ({ index, ...passingOf(classes) }))
  for (const one of own.sort((a, b) => b.cost - a.cost)) {
    const increases = passing.map((before) => costOf(before, one) - before.cost)
    const best = increases.indexOf(Math.min(...increases))
    passing[best] = together(passing[best] ?? nothing, one)
    chosen[one.index] = best
  }
  return chosen
}

function passingOf(classes: Pattern['classes']): Passing {
  const bits = (half: (byte: number) => number) =>
    places.map((place) => (classes[place] ?? []).reduce((sum, byte) => sum | (1 << half(byte)), 0))
  const own = { lows: bits((byte) => byte & 15), highs: bits((byte) => byte >> 4) }
  return { ...own, cost: costOf(nothing, own) }
}

type Halves = Pick<Passing, 'lows' | 'highs'>

function together(a: Halves, b: Halves): Passing {
  const or = (one: readonly number[], other: readonly number[]) =>
    one.map((bits, at) => bits | (other[at] ?? 0))
  return { lows: or(a.lows, b.lows), highs: or(a.highs, b.highs), cost: costOf(a, b) }
}

/** Small letters are most of a script; control characters and bytes beyond ASCII are next to nothing. */
const frequencyOfHigh = [0, 0, 2, 1, 1, 1, 8, 8]
const lowsIn = sums(() => 1)
const frequencyIn = sums((bit) => frequencyOfHigh[bit] ?? 0)

/** For each byte, what its bits come to. */
function sums(worth: (bit: number) => number): Uint8Array {
  const table = new Uint8Array(256)
  for (let byte = 1; byte < 256; byte++)
    table[byte] = (table[byte & (byte - 1)] ?? 0) + worth(31 - Math.clz32(byte & -byte))
  return table
}

/** How much of a script passes one of the two, or half of each. */
function costOf(a: Halves, b: Halves): number {
  let product = 1
  for (const place of places) {
    const lows = (a.lows[place] ?? 0) | (b.lows[place] ?? 0)
    const highs = (a.highs[place] ?? 0) | (b.highs[place] ?? 0)
    product *= ((lowsIn[lows & 255] ?? 0) + (lowsIn[lows >> 8] ?? 0)) * (frequencyIn[highs & 255] ?? 0)
  }
  return product
}
