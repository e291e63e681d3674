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

export interface Pacers {
  of(part: string): Pacer | undefined
}

/** @param isFirst whether nothing of this suite has spoken to the parts within the last second */
export function createPacers(limits: PaceLimits, clock: Clock, isFirst: boolean): Pacers {
  const made = new Map<string, Pacer>()
  for (const part of pacedParts) {
    const limit = limits[part]
    if (limit !== undefined) made.set(part, createPacer(limit, clock, isFirst))
  }
  const [mint, backend] = [made.get('mint'), made.get('backend')]
  // A backend calls the mint for each of its calls, and must not wait for its turn while it does.
  if (mint !== undefined) made.set('backend', backend === undefined ? mint : oneAfterTheOther(backend, mint))
  return { of: (part) => made.get(part) }
}

function oneAfterTheOther(first: Pacer, second: Pacer): Pacer {
  return { run: (start) => first.run(() => second.run(start)) }
}

export function createPacer(
  { perSecond = Number.POSITIVE_INFINITY, atOnce }: PaceLimit,
  clock: Clock,
  isFirst = true,
): Pacer {
  const together = atOnce ?? (perSecond === Number.POSITIVE_INFINITY ? perSecond : 1)
  const pace = { perSecond, together, atOnce: atOnce ?? Number.POSITIVE_INFINITY }
  const gate = createGate(pace, clock)
  if (!isFirst && perSecond !== Number.POSITIVE_INFINITY) gate.rest(paceSecondMs)
  return { run: (start) => gate.run(start, false) }
}

interface Pace {
  readonly perSecond: number
  readonly atOnce: number
  readonly together: number
}

/** Requests wait here, in the order in which they came. */
interface Gate {
  pace: Pace
  /** Nothing begins for so long. */
  rest(ms: number): void
  run<T>(start: () => Promise<T>, isUrgent: boolean): Promise<T>
  underWay(): number
  /** Time in which at least one request waited. */
  waitedMs(): number
}

const unlimited: Pace = {
  perSecond: Number.POSITIVE_INFINITY,
  atOnce: Number.POSITIVE_INFINITY,
  together: Number.POSITIVE_INFINITY,
}

function createGate(pace: Pace, clock: Clock): Gate {
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
  const gate: Gate = {
    pace,
    rest(ms) {
      nextAt = Math.max(nextAt, clock.monotonic() + ms)
    },
    run: (start, isUrgent) =>
      new Promise((resolve, reject) => {
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

/** Nothing listened, as while a part starts again: it has not got what was sent. */
export const away = 'away'

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
export interface Limiter {
  /** @param isUrgent goes before all others that wait: it brings a token, which expires while it waits */
  send<T>(
    ask: () => Promise<T>,
    readLimit: (outcome: T) => TooSoon | typeof away | null,
    isUrgent?: boolean,
  ): Promise<T>
  /** Null where no limit was met. */
  met(): MetLimit | null
  /**
   * Waits for the end of a ban: some firewalls refuse everyone for a while after some requests that were rejected. Those that ask at
   * the same time wait together. A ban that does not end is waited for once.
   * @param isServed sends an ordinary request; the last one was refused
   * @returns whether one was served in time
   */
  outlastBan(isServed: () => Promise<boolean>): Promise<boolean>
}

const slowest = 0.5
/** Below the pace at which the last refusal came, growth is slow. */
const slowGrowth = 1.05
const mostAtOnceWhenLimited = 8
/** A limit is kept for longer than this once the pace is lowered: refusals that come sooner have another cause. */
const servedBetweenRefusals = 4
const mostFutile = 4
/** Two together are a small part of such a second. */
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
): Limiter {
  const patienceMs = patienceSeconds * 1000
  const gate = createGate(unlimited, clock)
  let isMet = false
  let banLeftMs = patienceMs * timesPatience * mostBans
  let bannedMs = 0
  let banEnd: Promise<boolean> | null = null
  let repeated = 0
  /** When what was served began, within the last window. */
  let served: readonly number[] = []
  let servedSinceChange = 0
  /** The pace at which the last refusal came. */
  let ceiling = Number.POSITIVE_INFINITY
  let changedAt = 0
  let changes = 0
  let futile = 0
  /** A sign that is not sure was no limit here. */
  let isMistaken = false
  /** One has waited in vain, and nothing was served since. */
  let isInVain = false

  const noteServed = (begunAt: number) => {
    const now = clock.monotonic()
    served = [...served.filter((at) => at + rateWindowMs > now), begunAt]
    servedSinceChange += 1
    isInVain = false
    const { pace } = gate
    // Only what was used shows that more may be served.
    if (pace === unlimited || now - changedAt < rateWindowMs || served.length < pace.perSecond / 2) return
    changedAt = now
    const doubled = pace.perSecond * 2
    gate.pace = { ...pace, perSecond: doubled < ceiling ? doubled : pace.perSecond * slowGrowth }
  }
  const slowDown = ({ seconds }: TooSoon) => {
    const now = clock.monotonic()
    const inWindow = served.filter((at) => at + rateWindowMs > now).length
    const { pace } = gate
    if (pace !== unlimited) ceiling = pace.perSecond
    futile = servedSinceChange > servedBetweenRefusals ? 0 : futile + 1
    // Few were served, and others were under way: the limit may be on those.
    const atOnce = gate.underWay() > 0 && inWindow <= 2 ? 1 : Math.min(pace.atOnce, mostAtOnceWhenLimited)
    const perSecond = Math.max(slowest, Math.min(pace.perSecond, inWindow) / 2)
    // Some requirements need two at once. A limit that allows no two together refuses the next pair.
    const together = futile === 0 && perSecond >= fastEnoughForPairs ? 2 : 1
    gate.pace = { perSecond, atOnce, together }
    gate.rest(seconds * 1000)
    isMet = true
    changedAt = now
    servedSinceChange = 0
    changes += 1
  }
  /** A part that serves nothing at any pace has no limit that a pace could keep. */
  const giveUp = ({ isSure }: TooSoon) => {
    gate.pace = unlimited
    isMet = repeated > 0 && isSure
    futile = 0
    isInVain = true
    if (!isSure) isMistaken = true
  }

  const waitForBanEnd = async (isServed: () => Promise<boolean>): Promise<boolean> => {
    const longestMs = Math.min(banLeftMs, patienceMs * timesPatience)
    if (longestMs < betweenBanLooksMs) return false
    const begun = clock.monotonic()
    let isOver = false
    while (!isOver && clock.monotonic() + betweenBanLooksMs <= begun + longestMs) {
      await clock.until(clock.monotonic() + betweenBanLooksMs)
      isOver = await isServed()
    }
    const lastedMs = clock.monotonic() - begun
    banLeftMs = isOver ? banLeftMs - lastedMs : 0
    if (!isOver) return false
    bannedMs += lastedMs
    ceiling = perSecondAfterBan
    gate.pace = { ...gate.pace, perSecond: Math.min(gate.pace.perSecond, perSecondAfterBan), together: 1 }
    changedAt = clock.monotonic()
    return true
  }

  return {
    async send(ask, readLimit, isUrgent = false) {
      for (let leftMs = isInVain ? 0 : patienceMs; ; ) {
        let known = changes
        let begunAt = 0
        const outcome = await gate.run(() => {
          known = changes
          begunAt = clock.monotonic()
          return ask()
        }, isUrgent)
        const limit = readLimit(outcome)
        if (limit === away) {
          leftMs -= betweenConnectionsMs
          if (leftMs < 0) {
            isInVain = true
            return outcome
          }
          await clock.until(clock.monotonic() + betweenConnectionsMs)
          continue
        }
        if (limit === null || (!limit.isSure && isMistaken)) {
          noteServed(begunAt)
          return outcome
        }
        leftMs -= Math.max(limit.seconds * 1000, paceSecondMs / gate.pace.perSecond)
        if (leftMs < 0 || (!limit.isSure && futile >= mostFutile)) {
          giveUp(limit)
          return outcome
        }
        repeated += 1
        // A request from before the pace was lowered is only sent again.
        if (changes === known) slowDown(limit)
      }
    },
    met() {
      if (!isMet && bannedMs === 0) return null
      const bannedSeconds = bannedMs === 0 ? undefined : Math.round(bannedMs / 1000)
      return { repeated, waitedSeconds: Math.round(gate.waitedMs() / 1000), bannedSeconds }
    },
    outlastBan(isServed) {
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
