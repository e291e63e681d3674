import type { Pattern } from '../scan/kernel/marker.ts'

const buckets = 8
const places = [0, 1, 2, 3]

/** What the tables of a bucket let pass: for each place a bit for each low and each high half of a byte. */
interface Passing {
  readonly lows: readonly number[]
  readonly highs: readonly number[]
}

const nothing: Passing = { lows: [0, 0, 0, 0], highs: [0, 0, 0, 0] }

/** Puts together what lets few other texts pass, the widest first. @returns the bucket of each pattern */
export function bucketsFor(patterns: readonly Pattern['classes'][]): number[] {
  const passing = Array.from({ length: buckets }, () => nothing)
  const chosen: number[] = []
  const own = patterns.map(passingOf)
  const order = own.map((_, index) => index).sort((a, b) => cost(own[b]) - cost(own[a]))
  for (const index of order) {
    const added = passing.map((before) => together(before, own[index] ?? nothing))
    const increases = added.map((after, bucket) => cost(after) - cost(passing[bucket]))
    const best = increases.indexOf(Math.min(...increases))
    passing[best] = added[best] ?? nothing
    chosen[index] = best
  }
  return chosen
}

function passingOf(classes: Pattern['classes']): Passing {
  const bits = (half: (byte: number) => number) =>
    places.map((place) => (classes[place] ?? []).reduce((sum, byte) => sum | (1 << half(byte)), 0))
  return { lows: bits((byte) => byte & 15), highs: bits((byte) => byte >> 4) }
}

function together(a: Passing, b: Passing): Passing {
  const or = (one: readonly number[], other: readonly number[]) =>
    one.map((bits, at) => bits | (other[at] ?? 0))
  return { lows: or(a.lows, b.lows), highs: or(a.highs, b.highs) }
}

/** Small letters are most of a script; control characters and bytes beyond ASCII are next to nothing. */
const frequencyOfHigh = [0, 0, 2, 1, 1, 1, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0]

function cost({ lows, highs }: Passing = nothing): number {
  let product = 1
  for (const place of places) {
    let low = 0
    let high = 0
    for (let bits = lows[place] ?? 0; bits !== 0; bits &= bits - 1) low += 1
    for (let bits = highs[place] ?? 0; bits !== 0; bits &= bits - 1)
      high += frequencyOfHigh[31 - Math.clz32(bits & -bits)] ?? 0
    product *= low * high
  }
  return product
}
