import type { Lifetime } from '../../../src/base/tokens/token-lifetime.ts'
import { showLifetime } from '../../../src/base/tokens/token-lifetime.ts'

/** A requested lifetime and the granted one, in seconds; `null` where the request was rejected. */
export interface Measured {
  readonly asked: number
  readonly lifetime: Lifetime | null
  readonly exchange: string
}

export type Reading = keyof Lifetime

/** Claims and the `Date` header have whole seconds, and the two are written at different moments. */
const slackSeconds: Record<Reading, number> = { byClaims: 1, byClock: 4 }
const nearSeconds = 60

type Point = ReturnType<typeof pointsOf>[number]

/**
 * Says how well "the requested lifetime, between a floor and a ceiling" explains a series of lifetimes.
 * `near`: each of them is off by a minute at most.
 */
export function explainLifetimes(measured: readonly Measured[], reading: Reading) {
  const sorted = measured.toSorted((a, b) => a.asked - b.asked)
  const points = pointsOf(sorted, reading)
  const refused = sorted.filter(({ lifetime }) => lifetime === null).map(({ asked }) => asked)
  const granted = points.map(
    (one) => `a lifetime of ${showLifetime(one.granted)} for ttlSeconds ${one.asked}`,
  )
  const saw = `${granted.join(', ')}${refused.length === 0 ? '' : `, and ttlSeconds ${refused.join(', ')} rejected`}`
  // A range may be enforced by rejecting: then nothing between two granted values is rejected.
  const isGap = (asked: number) =>
    points.some((one) => one.asked < asked) && points.some((one) => one.asked > asked)
  const fits = (slack: number) => {
    const { floor, ceiling } = rangeOf(points, slack)
    const isInRange = ({ asked, granted: seconds }: Point) =>
      Math.abs(seconds - Math.min(Math.max(asked, floor ?? asked), ceiling ?? Number.POSITIVE_INFINITY)) <=
      slack
    return points.every(isInRange) && !isConstant(points, slack) && !refused.some(isGap)
  }
  const slack = slackSeconds[reading]
  const { floor, ceiling } = rangeOf(points, slack)
  const fit = fits(slack) ? 'exact' : fits(nearSeconds) ? 'near' : 'none'
  return { fit, floor: rounded(floor), ceiling: rounded(ceiling), saw }
}

/** Says whether every granted lifetime is the same in one of the readings. */
export function areAlike(measured: readonly Measured[], readings: readonly Reading[]): boolean {
  return readings.some((reading) => isConstant(pointsOf(measured, reading), slackSeconds[reading]))
}

/** The first lifetime that is longer than requested, and the first that is shorter. */
function rangeOf(points: readonly Point[], slack: number) {
  const floor = points.find(({ asked, granted }) => granted > asked + slack)?.granted
  const ceiling = points.find(({ asked, granted }) => granted < asked - slack)?.granted
  return { floor, ceiling }
}

function isConstant(points: readonly Point[], slack: number): boolean {
  const lifetimes = points.map(({ granted }) => granted)
  return points.length === 0 || Math.max(...lifetimes) - Math.min(...lifetimes) <= slack
}

function pointsOf(measured: readonly Measured[], reading: Reading) {
  return measured.flatMap(({ asked, lifetime }) => {
    const granted = lifetime?.[reading]
    return granted == null ? [] : [{ asked, granted }]
  })
}

function rounded(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds)
}
