import { showLifetime } from '../../../src/base/tokens/show-lifetime.ts'
import type { Lifetime } from '../../../src/base/tokens/token-lifetime.ts'

/** A requested lifetime and the granted one, in seconds; `null` where the request was rejected. */
export interface Measured {
  readonly asked: number
  readonly lifetime: Lifetime | null
  readonly exchange: string
}

export type Reading = keyof Lifetime

/** How well "the requested lifetime, between a floor and a ceiling" explains a series of lifetimes. */
export interface Explanation {
  /** `near`: each of them is off by a minute at most. */
  readonly fit: 'exact' | 'near' | 'none'
  readonly floor: number | null
  readonly ceiling: number | null
  readonly saw: string
}

/** Claims and the `Date` header have whole seconds, and the two are written at different moments. */
const slackSeconds: Record<Reading, number> = { byClaims: 1, byClock: 4 }
const nearSeconds = 60

interface Point {
  readonly asked: number
  readonly granted: number
}

/** Sorts `measured` by the requested lifetime. */
export function explainLifetimes(measured: readonly Measured[], reading: Reading): Explanation {
  const sorted = [...measured].sort((a, b) => a.asked - b.asked)
  const points = pointsOf(sorted, reading)
  const saw = `${points.map(({ asked, granted }) => `a lifetime of ${showLifetime(granted)} for ttlSeconds ${asked}`).join(', ')}${refusals(sorted)}`
  const fits = (slack: number) =>
    hasOneRange(points, slack) && !isConstant(points, slack) && refusesOutsideOnly(sorted)
  const slack = slackSeconds[reading]
  const fit = fits(slack) ? 'exact' : fits(nearSeconds) ? 'near' : 'none'
  const longer = points.filter(({ asked, granted }) => granted > asked + slack)
  const shorter = points.filter(({ asked, granted }) => granted < asked - slack)
  return { fit, floor: rounded(longer[0]), ceiling: rounded(shorter[0]), saw }
}

/** Says whether every granted lifetime is the same in one of the readings. */
export function areAlike(measured: readonly Measured[], readings: readonly Reading[]): boolean {
  return readings.some((reading) => isConstant(pointsOf(measured, reading), slackSeconds[reading]))
}

/** Lifetimes longer than requested equal the floor, and shorter ones the ceiling. */
function hasOneRange(points: readonly Point[], slack: number): boolean {
  const longer = points.filter(({ asked, granted }) => granted > asked + slack)
  const shorter = points.filter(({ asked, granted }) => granted < asked - slack)
  const floor = longer[0]?.granted ?? Number.NEGATIVE_INFINITY
  const ceiling = shorter[0]?.granted ?? Number.POSITIVE_INFINITY
  return (
    isConstant(longer, slack) &&
    isConstant(shorter, slack) &&
    floor <= ceiling + slack &&
    points.every(({ granted }) => granted >= floor - slack && granted <= ceiling + slack)
  )
}

function isConstant(points: readonly Point[], slack: number): boolean {
  const lifetimes = points.map(({ granted }) => granted)
  return points.length === 0 || Math.max(...lifetimes) - Math.min(...lifetimes) <= slack
}

/** A range may be enforced by rejecting: then nothing between two granted values is rejected. */
function refusesOutsideOnly(sorted: readonly Measured[]): boolean {
  const isGranted = sorted.map(({ lifetime }) => lifetime !== null)
  return isGranted.slice(isGranted.indexOf(true), isGranted.lastIndexOf(true) + 1).every(Boolean)
}

function refusals(sorted: readonly Measured[]): string {
  const refused = sorted.filter(({ lifetime }) => lifetime === null).map(({ asked }) => asked)
  return refused.length === 0 ? '' : `, and ttlSeconds ${refused.join(', ')} rejected`
}

function pointsOf(measured: readonly Measured[], reading: Reading): Point[] {
  return measured.flatMap(({ asked, lifetime }) => {
    const granted = lifetime?.[reading]
    return granted == null ? [] : [{ asked, granted }]
  })
}

function rounded(point: Point | undefined): number | null {
  return point === undefined ? null : Math.round(point.granted)
}
