import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from './clock.ts'
import {
  defaultLimits,
  type Limits,
  type PacedPart,
  type PaceLimit,
  type PaceLimits,
  pacedParts,
} from './limits.ts'
import { type TellWait, toldAfterMs } from './told-wait.ts'

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

/** Lets requests to one part begin when their turn has come. */
export interface Pacer {
  run<T>(start: () => Promise<T>): Promise<T>
}

export interface Pacers {
  of(part: string): Pacer | undefined
}

/** @param isFirst whether nothing of this suite has spoken to the parts within the last second */
export function createPacers(
  limits: PaceLimits,
  clock: Clock,
  isFirst: boolean,
  tellWait: TellWait = () => undefined,
): Pacers {
  const made = new Map<string, Pacer>()
  for (const part of pacedParts) {
    const limit = limits[part]
    const tell = (seconds: number) =>
      tellWait({ what: `its turn at the pace of limits.pace.${part}`, seconds })
    if (limit !== undefined) made.set(part, createPacer(limit, clock, isFirst, tell))
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
  tellTurn?: (seconds: number) => void,
): Pacer {
  const together = atOnce ?? (perSecond === Number.POSITIVE_INFINITY ? perSecond : 1)
  const pace = { perSecond, together, atOnce: atOnce ?? Number.POSITIVE_INFINITY }
  const gate = createGate(pace, clock, tellTurn)
  if (!isFirst && perSecond !== Number.POSITIVE_INFINITY) gate.rest(secondMs)
  return { run: (start) => gate.run(start, false) }
}

interface Pace {
  readonly perSecond: number
  /** Requests that are under way at once. */
  readonly atOnce: number
  /** Requests that are begun together. */
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
/** Longer than a second, since a network brings requests closer together than they were sent. */
const secondMs = 1100

function createGate(pace: Pace, clock: Clock, tellTurn: (seconds: number) => void = () => undefined): Gate {
  const urgent: (() => void)[] = []
  const ordinary: (() => void)[] = []
  let underWay = 0
  let nextAt = 0
  let isAwake = false
  let waitedMs = 0
  let waitsSince = 0
  /** The end of the wait that was told last: it is that of all who wait. */
  let toldUntil = 0

  const waiting = () => urgent.length + ordinary.length
  const tellLongWait = () => {
    const now = clock.monotonic()
    const waitMs = (waiting() * secondMs) / gate.pace.perSecond
    if (waitMs <= toldAfterMs || toldUntil > now) return
    toldUntil = now + waitMs
    tellTurn(Math.ceil(waitMs / 1000))
  }
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
    nextAt = now + secondMs / (groups < 1 ? groups : Math.floor(groups))
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
        tellLongWait()
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

/** A limit on the rate, by what it cost: what it allows cannot be seen from outside. */
export interface MetLimit {
  /** Refusals after which the same request was sent again. */
  readonly repeated: number
  /** Seconds in which at least one request waited for its turn. */
  readonly waitedSeconds: number
  readonly blocked?: Block | undefined
}

/** A time in which a part refused every request, as firewalls do after some that it had rejected. */
export interface Block {
  readonly seconds: number
  /** Requests that it had rejected before. */
  readonly rejections: number
}

export type MetLimits = Readonly<Partial<Record<PacedPart, MetLimit>>>

/** Finds the pace that a part's own rate limit allows. */
export interface Limiter {
  /** @param isUrgent goes before all others that wait: it brings a token, which expires while it waits */
  send<T>(ask: () => Promise<T>, readLimit: (outcome: T) => TooSoon | null, isUrgent?: boolean): Promise<T>
  /** Null where no limit was met. */
  met(): MetLimit | null
  /** Notes a block that is over. */
  noteBlock(block: Block): void
}

const slowest = 0.5
const windowMs = 1000
/** Below the pace at which the last refusal came, growth is slow. */
const slowGrowth = 1.05
const mostAtOnceWhenLimited = 8
/** A limit is kept for longer than this once the pace is lowered: refusals that come sooner have another cause. */
const servedBetweenRefusals = 4
const mostFutile = 4

/** @param limits.patienceSeconds waited by one request: a limit that does not end by then is its answer */
export function createLimiter(
  clock: Clock,
  { patienceSeconds }: Pick<Limits, 'patienceSeconds'> = defaultLimits,
  tellWait: TellWait = () => undefined,
): Limiter {
  const patienceMs = patienceSeconds * 1000
  const gate = createGate(unlimited, clock, (seconds) =>
    tellWait({ what: 'its turn under the rate limit', seconds }),
  )
  let isMet = false
  let blocked: Block | null = null
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
    served = [...served.filter((at) => at + windowMs > now), begunAt]
    servedSinceChange += 1
    isInVain = false
    const { pace } = gate
    // Only what was used shows that more may be served.
    if (pace === unlimited || now - changedAt < windowMs || served.length < pace.perSecond / 2) return
    changedAt = now
    const doubled = pace.perSecond * 2
    gate.pace = { ...pace, perSecond: doubled < ceiling ? doubled : pace.perSecond * slowGrowth }
  }
  const slowDown = ({ seconds }: TooSoon) => {
    const now = clock.monotonic()
    const inWindow = served.filter((at) => at + windowMs > now).length
    const { pace } = gate
    if (pace !== unlimited) ceiling = pace.perSecond
    futile = servedSinceChange > servedBetweenRefusals ? 0 : futile + 1
    // Few were served, and others were under way: the limit may be on those.
    const atOnce = gate.underWay() > 0 && inWindow <= 2 ? 1 : Math.min(pace.atOnce, mostAtOnceWhenLimited)
    gate.pace = { perSecond: Math.max(slowest, Math.min(pace.perSecond, inWindow) / 2), atOnce, together: 1 }
    gate.rest(seconds * 1000)
    if (seconds * 1000 > toldAfterMs)
      tellWait({ what: 'the end of a rate limit', seconds: Math.ceil(seconds) })
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
        if (limit === null || (!limit.isSure && isMistaken)) {
          noteServed(begunAt)
          return outcome
        }
        leftMs -= Math.max(limit.seconds * 1000, secondMs / gate.pace.perSecond)
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
      if (!isMet && blocked === null) return null
      return { repeated, waitedSeconds: Math.round(gate.waitedMs() / 1000), blocked: blocked ?? undefined }
    },
    noteBlock({ seconds, rejections }) {
      blocked = {
        seconds: (blocked?.seconds ?? 0) + seconds,
        rejections: blocked?.rejections ?? rejections,
      }
    },
  }
}

/** How long a `Retry-After` in seconds asks to wait; a second where it says nothing that can be read. */
export function retryAfterSeconds(value: string | undefined): number {
  const seconds = Number(value ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 1
}
