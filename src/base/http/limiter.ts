import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../clock.ts'
import { betweenBanLooksMs, betweenConnectionsMs, paceSecondMs, rateWindowMs } from '../times.ts'
import {
  defaultLimits,
  type Limits,
  type PacedPart,
  type PaceLimit,
  type PaceLimits,
  pacedParts,
} from './limits.ts'

// One limiter a part: requests keep to the pace that is configured, and what the part refuses for coming too soon is sent again, at
// half the pace and after the wait that it asks for. A limit says nothing about what was asked, so that a burst of ours would hide
// the verdict.

/** How many requests to a part can be begun together. Each call of a backend costs a call of the mint, whose limit counts for both. */
export function mostAtOnce(limits: PaceLimits, part: PacedPart): number {
  const counting = part === 'backend' ? [limits.backend, limits.mint] : [limits[part]]
  return Math.min(
    ...counting.map((limit) => (limit === undefined ? Number.POSITIVE_INFINITY : (limit.atOnce ?? 1))),
  )
}

/** Why a check cannot be judged at this pace; null where it can. */
export function findPaceGap(
  atOnce: Readonly<Partial<Record<PacedPart, number>>>,
  pace: PaceLimits,
): string | null {
  for (const part of pacedParts) {
    const most = mostAtOnce(pace, part)
    const needed = atOnce[part] ?? 0
    if (most < needed)
      return `limits.pace allows ${most} ${most === 1 ? 'request' : 'requests'} at once to ${part}; needs ${needed} (limits.pace.${part}.atOnce)`
  }
  return null
}

/** Lets requests to one part begin when their turn has come. */
export interface Pacer {
  run<T>(start: () => Promise<T>): Promise<T>
}

/** @param isFirst whether nothing of this suite has spoken to the parts within the last second */
export function createPacers(limits: PaceLimits, clock: Clock, isFirst: boolean) {
  const made = new Map<string, Pacer>()
  for (const part of pacedParts) {
    const limit = limits[part]
    if (limit !== undefined) made.set(part, createPacer(limit, clock, isFirst))
  }
  const [mint, backend] = [made.get('mint'), made.get('backend')]
  // A backend calls the mint for each of its calls, and must not wait for its turn while it does.
  if (mint !== undefined)
    made.set('backend', backend ? { run: (start) => backend.run(() => mint.run(start)) } : mint)
  return { of: (part: string): Pacer | undefined => made.get(part) }
}

export function createPacer(
  { perSecond = Number.POSITIVE_INFINITY, atOnce }: PaceLimit,
  clock: Clock,
  isFirst = true,
): Pacer {
  const together = atOnce ?? (perSecond === Number.POSITIVE_INFINITY ? perSecond : 1)
  const gate = createGate({ perSecond, together, atOnce: atOnce ?? Number.POSITIVE_INFINITY }, clock)
  if (!isFirst && perSecond !== Number.POSITIVE_INFINITY) gate.rest(paceSecondMs)
  return gate
}

interface Pace {
  readonly perSecond: number
  readonly atOnce: number
  /** So many begin at the same moment. */
  readonly together: number
}

const unlimited: Pace = {
  perSecond: Number.POSITIVE_INFINITY,
  atOnce: Number.POSITIVE_INFINITY,
  together: Number.POSITIVE_INFINITY,
}

/** Requests wait here, in the order in which they came. */
function createGate(pace: Pace, clock: Clock) {
  const urgent: (() => void)[] = []
  const ordinary: (() => void)[] = []
  let underWay = 0
  let nextAt = 0
  let isAwake = false
  let waitedMs = 0
  let waitsSince = 0

  const waiting = () => urgent.length + ordinary.length
  const proceed = async () => {
    while (waiting() > 0 && underWay < gate.pace.atOnce) {
      const now = clock.monotonic()
      if (nextAt > now) await clock.until(nextAt)
      else begin(now)
    }
    isAwake = false
  }
  const begin = (now: number) => {
    const { perSecond, atOnce, together } = gate.pace
    const count = Math.min(waiting(), atOnce - underWay, together, Math.max(1, Math.floor(perSecond)))
    underWay += count
    for (let begun = 0; begun < count; begun += 1) (urgent.shift() ?? ordinary.shift())?.()
    if (waiting() === 0) waitedMs += now - waitsSince
    // As many as are begun together keep the pace within each second, wherever it begins.
    const groups = perSecond / count
    nextAt = now + paceSecondMs / (groups < 1 ? groups : Math.floor(groups))
  }
  const wake = () => {
    if (isAwake || waiting() === 0) return
    isAwake = true
    // Requests that are asked for together begin together where they are few in a second.
    if (gate.pace.together > 1 && Number.isFinite(gate.pace.perSecond)) setImmediate(() => void proceed())
    else void proceed()
  }
  const gate = {
    pace,
    /** Nothing begins for so long. */
    rest(ms: number): void {
      nextAt = Math.max(nextAt, clock.monotonic() + ms)
    },
    run: <T>(start: () => Promise<T>, isUrgent = false) =>
      new Promise<T>((resolve, reject) => {
        // The end of one request begins the next, which must keep the context in which it was asked for.
        const asAsked = AsyncLocalStorage.snapshot()
        const ended = () => {
          underWay -= 1
          wake()
        }
        if (waiting() === 0) waitsSince = clock.monotonic()
        const queue = isUrgent ? urgent : ordinary
        queue.push(() => void asAsked(start).then(resolve, reject).finally(ended))
        wake()
      }),
    underWay: () => underWay,
    /** Time in which at least one request waited. */
    waitedMs: () => waitedMs,
  }
  return gate
}

/** A refusal that says nothing about what was asked: it came too soon. */
export interface TooSoon {
  /** Seconds for which it asks to wait. */
  readonly seconds: number
  /** `false` for a sign that services also use for other things, such as 503. */
  readonly isSure: boolean
}

/** Nothing listened, as while a part starts again: it has not got what was sent, and its pace stays. */
export const away: TooSoon = { seconds: betweenConnectionsMs / 1000, isSure: true }

/** A limit on the rate, by what it cost: what it allows cannot be seen from outside. */
export interface MetLimit {
  /** Refusals after which the same request was sent again. */
  readonly repeated: number
  /** Seconds in which at least one request waited for its turn. */
  readonly waitedSeconds: number
  /** Seconds for which it refused every request; absent where it never did. */
  readonly bannedSeconds?: number | undefined
}

export type MetLimits = Readonly<Partial<Record<PacedPart, MetLimit>>>

/** Finds the pace that a part's own rate limit allows. */
export type Limiter = ReturnType<typeof createLimiter>

const slowest = 0.5
/** Below the pace at which the last refusal came, growth is slow. */
const slowGrowth = 1.05
const mostAtOnceWhenLimited = 8
/** A limit is kept for longer than this once the pace is lowered: refusals that come sooner have another cause. */
const servedBetweenRefusals = 4
const mostFutile = 4
/** Two together are a small part of such a second, and some requirements need two. */
const fastEnoughForPairs = 8
/** Bans last for a minute as a rule, and rate limits for seconds. */
const timesPatience = 4
/** Bans of that length that a whole run waits for: one that comes again and again needs a pace of the user's. */
const mostBans = 2
/** A pace that most bans allow. */
const perSecondAfterBan = 2

/** @param limits.patienceSeconds waited by one request: a limit that does not end by then is its answer */
export function createLimiter(
  clock: Clock,
  { patienceSeconds }: Pick<Limits, 'patienceSeconds'> = defaultLimits,
) {
  const patienceMs = patienceSeconds * 1000
  const gate = createGate(unlimited, clock)
  let repeated = 0
  /** When what was served in the last second began. */
  let served: readonly number[] = []
  let servedSinceRefusal = 0
  /** The lowered pace at which the last refusal came. */
  let refusedPerSecond = Number.POSITIVE_INFINITY
  let changedAt = 0
  let timesLowered = 0
  let futile = 0
  /** A sign that is not sure was no limit here. */
  let isMistaken = false
  /** One has waited in vain, and nothing was served since. */
  let isInVain = false
  let banLeftMs = patienceMs * timesPatience * mostBans
  let bannedMs = 0
  let banEnd: Promise<boolean> | null = null

  const servedOfLate = () => served.filter((at) => at + rateWindowMs > clock.monotonic())
  const noteServed = (begunAt: number) => {
    const now = clock.monotonic()
    served = [...servedOfLate(), begunAt]
    servedSinceRefusal += 1
    isInVain = false
    const { pace } = gate
    // Only what was used shows that more may be served.
    if (pace === unlimited || now - changedAt < rateWindowMs || served.length < pace.perSecond / 2) return
    changedAt = now
    const doubled = pace.perSecond * 2
    gate.pace = { ...pace, perSecond: doubled < refusedPerSecond ? doubled : pace.perSecond * slowGrowth }
  }
  const slowDown = ({ seconds }: TooSoon) => {
    const { pace } = gate
    const { length: count } = servedOfLate()
    if (pace !== unlimited) refusedPerSecond = pace.perSecond
    futile = servedSinceRefusal > servedBetweenRefusals ? 0 : futile + 1
    const perSecond = Math.max(slowest, Math.min(pace.perSecond, count) / 2)
    // Few were served, and others were under way: the limit may be on those.
    const atOnce = gate.underWay() > 0 && count <= 2 ? 1 : Math.min(pace.atOnce, mostAtOnceWhenLimited)
    // A limit that allows no two together refuses the next pair.
    const together = futile === 0 && perSecond >= fastEnoughForPairs ? 2 : 1
    gate.pace = { perSecond, atOnce, together }
    gate.rest(seconds * 1000)
    changedAt = clock.monotonic()
    servedSinceRefusal = 0
    timesLowered += 1
  }
  /** A part that serves nothing at any pace has no limit that a pace could keep. */
  const giveUp = (limit: TooSoon) => {
    isInVain = true
    if (limit === away) return
    gate.pace = unlimited
    futile = 0
    if (limit.isSure) return
    isMistaken = true
    repeated = 0
  }
  const waitForBanEnd = async (isServed: () => Promise<boolean>): Promise<boolean> => {
    const begun = clock.monotonic()
    const end = begun + Math.min(banLeftMs, patienceMs * timesPatience)
    while (clock.monotonic() + betweenBanLooksMs <= end) {
      await clock.until(clock.monotonic() + betweenBanLooksMs)
      if (!(await isServed())) continue
      const lastedMs = clock.monotonic() - begun
      banLeftMs -= lastedMs
      bannedMs += lastedMs
      refusedPerSecond = perSecondAfterBan
      gate.pace = { ...gate.pace, perSecond: Math.min(gate.pace.perSecond, perSecondAfterBan), together: 1 }
      changedAt = clock.monotonic()
      return true
    }
    banLeftMs = 0
    return false
  }

  return {
    /** @param isUrgent goes before all others that wait: it brings a token, which expires while it waits */
    async send<T>(
      ask: () => Promise<T>,
      readLimit: (outcome: T) => TooSoon | null,
      isUrgent = false,
    ): Promise<T> {
      for (let leftMs = isInVain ? 0 : patienceMs; ; ) {
        let timesKnown = timesLowered
        let begunAt = 0
        const outcome = await gate.run(() => {
          timesKnown = timesLowered
          begunAt = clock.monotonic()
          return ask()
        }, isUrgent)
        const limit = readLimit(outcome)
        if (limit === null || (!limit.isSure && isMistaken)) {
          noteServed(begunAt)
          return outcome
        }
        const turnMs = limit === away ? 0 : paceSecondMs / gate.pace.perSecond
        leftMs -= Math.max(limit.seconds * 1000, turnMs)
        if (leftMs < 0 || (!limit.isSure && futile >= mostFutile)) {
          giveUp(limit)
          return outcome
        }
        if (limit === away) await clock.until(clock.monotonic() + betweenConnectionsMs)
        else repeated += 1
        // A request from before the pace was lowered is only sent again.
        if (limit !== away && timesKnown === timesLowered) slowDown(limit)
      }
    },
    /** Null where no limit was met. */
    met(): MetLimit | null {
      if (repeated === 0 && bannedMs === 0) return null
      const bannedSeconds = bannedMs === 0 ? undefined : Math.round(bannedMs / 1000)
      return { repeated, waitedSeconds: Math.round(gate.waitedMs() / 1000), bannedSeconds }
    },
    /**
     * Waits for the end of a ban: some firewalls refuse everyone for a while after some requests that were rejected. Those that ask
     * at the same time wait together. A ban that does not end is waited for once.
     * @param isServed sends an ordinary request; the last one was refused
     * @returns whether one was served in time
     */
    outlastBan(isServed: () => Promise<boolean>): Promise<boolean> {
      banEnd ??= waitForBanEnd(isServed).finally(() => {
        banEnd = null
      })
      return banEnd
    },
  }
}

/** How long a `Retry-After` in seconds asks to wait; a second where it says nothing that can be read. */
export function retryAfterSeconds(value: string | undefined): number {
  const seconds = Number(value ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 1
}
