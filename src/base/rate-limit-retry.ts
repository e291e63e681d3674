import type { Clock } from './clock.ts'
import { defaultLimits, type Limits } from './limits.ts'
import type { PacedPart } from './pacing.ts'
import { type TellWait, toldAfterMs } from './told-wait.ts'

/** A refusal that says nothing about what was asked: it came too soon. */
export interface TooSoon {
  /** Seconds for which it asks to wait. */
  readonly seconds: number
  /** `false` for a sign that services also use for other things, such as 503. */
  readonly isSure: boolean
}

type Order = 'first' | 'in turn'

interface Pace {
  readonly perSecond: number
  /** Requests that are under way at once. */
  readonly atOnce: number
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

/**
 * Keeps to a limit on the rate that nobody has configured: repeats what was refused for coming too soon, and sends what follows at
 * the pace that the part was seen to serve. A limit says nothing about what was asked, so that a burst of ours would hide
 * the verdict.
 */
export interface RateLimitRetry {
  /** @param order `first` goes before all others that wait: it brings a token, which expires while it waits */
  <T>(ask: () => Promise<T>, readLimit: (outcome: T) => TooSoon | null, order?: Order): Promise<T>
  /** Null where no limit was met. */
  met(): MetLimit | null
  /** Notes a block that is over. */
  noteBlock(block: Block): void
}

/** A limiter counts in windows of its own; a share of what it served leaves room for the difference. */
const share = 0.8
const slowest = 0.5
const windowMs = 1000
/** Time without a refusal after which requests may come faster. */
const growthMs = 1000
/** Below the pace at which the last refusal came, growth is slow. */
const slowGrowth = 1.05
const mostAtOnceWhenLimited = 8
/**
 * So often others are served while one and the same request is refused: then it is sent alone, and a refusal is its answer.
 */
const mostPassedOver = 4
/** So many requests with such an answer show that it is no sign of a limit here. */
const mostMistaken = 2
/** A limit is kept for longer than this once the pace is lowered: refusals that come sooner have another cause. */
const servedBetweenRefusals = 4
const mostFutile = 4
/** Limits on minutes ask for long waits: so many times the patience is waited for those in a whole run. */
const timesPatienceInAll = 15

/** A part's limit as it is known so far, and the requests that wait for it. */
interface State {
  readonly clock: Clock
  readonly tellWait: TellWait
  readonly patienceMs: number
  leftMs: number
  /** Left of the long waits of a whole run. */
  leftInAllMs: number
  pace: Pace | null
  /** The pace at which the last refusal came. */
  ceiling: number
  /** When what was served began, within the last window. */
  served: readonly number[]
  servedCount: number
  underWay: number
  nextAt: number
  changedAt: number
  changes: number
  blocked: Block | null
  repeated: number
  /** While at least one request waited for its turn, and since when one does. */
  waitedMs: number
  waitsSince: number
  mistaken: number
  futile: number
  /** How many were served when the pace was last lowered. */
  servedAtChange: number
  /** Requests that wait until nothing else is under way, or are under way so. */
  alone: number
  isHeld: boolean
  endedAt: number
  readonly gates: Record<Order, Promise<unknown>>
  /** Requests that wait for their turn. */
  queued: number
  /** The end of the wait for a turn that was told last. */
  toldUntil: number
  waitingFirst: number
  whenFreed: PromiseWithResolvers<void>
}

/** @param limits.patienceSeconds waited while nothing is served: a limit that does not end is soon taken for the answer */
export function createRateLimitRetry(
  clock: Clock,
  { patienceSeconds }: Pick<Limits, 'patienceSeconds'> = defaultLimits,
  tellWait: TellWait = () => undefined,
): RateLimitRetry {
  const patienceMs = patienceSeconds * 1000
  const state: State = {
    clock,
    tellWait,
    patienceMs,
    leftMs: patienceMs,
    leftInAllMs: patienceMs * timesPatienceInAll,
    pace: null,
    ceiling: Number.POSITIVE_INFINITY,
    served: [],
    servedCount: 0,
    underWay: 0,
    nextAt: 0,
    changedAt: 0,
    changes: 0,
    blocked: null,
    repeated: 0,
    waitedMs: 0,
    waitsSince: 0,
    mistaken: 0,
    futile: 0,
    servedAtChange: 0,
    alone: 0,
    isHeld: false,
    endedAt: Number.NEGATIVE_INFINITY,
    gates: { first: Promise.resolve(), 'in turn': Promise.resolve() },
    queued: 0,
    toldUntil: 0,
    waitingFirst: 0,
    whenFreed: Promise.withResolvers(),
  }
  return Object.assign(
    <T>(ask: () => Promise<T>, readLimit: (outcome: T) => TooSoon | null, order: Order = 'in turn') =>
      retry(state, ask, readLimit, order),
    {
      met: () => metLimit(state),
      noteBlock: (block: Block) => noteBlock(state, block),
    },
  )
}

function free(state: State): void {
  state.whenFreed.resolve()
  state.whenFreed = Promise.withResolvers()
}

/**
 * One after the other, each when the pace allows.
 * @param quietMs begins alone, after so long without any other
 */
function takeTurn(state: State, order: Order, quietMs: number | null): Promise<void> {
  if (order === 'first') state.waitingFirst += 1
  const mine = state.gates[order].then(async () => {
    for (;;) {
      const now = state.clock.monotonic()
      const isFull = state.isHeld || (state.pace !== null && state.underWay >= state.pace.atOnce)
      const isAmongOthers = quietMs !== null && state.underWay > 0
      const begunBy = Math.max(state.nextAt, quietMs === null ? 0 : state.endedAt + quietMs)
      if (isFull || isAmongOthers || (order === 'in turn' && state.waitingFirst > 0))
        await state.whenFreed.promise
      else if (begunBy > now) await state.clock.until(begunBy)
      else {
        state.isHeld = quietMs !== null
        if (state.pace !== null) state.nextAt = now + windowMs / state.pace.perSecond
        state.underWay += 1
        if (order === 'in turn') return
        state.waitingFirst -= 1
        return free(state)
      }
    }
  })
  state.gates[order] = mine
  return mine
}

async function begin(state: State, order: Order, quietMs: number | null): Promise<void> {
  if (quietMs !== null) state.alone += 1
  if (state.pace !== null || state.nextAt > state.clock.monotonic() || state.alone > 0) {
    tellTurn(state)
    if (state.queued === 0) state.waitsSince = state.clock.monotonic()
    state.queued += 1
    await takeTurn(state, order, quietMs)
    state.queued -= 1
    if (state.queued === 0) state.waitedMs += state.clock.monotonic() - state.waitsSince
  } else state.underWay += 1
}

/** Names the longest wait only: all requests share one pace. */
function tellTurn(state: State): void {
  const now = state.clock.monotonic()
  const waitMs = state.pace === null ? 0 : (state.queued * windowMs) / state.pace.perSecond
  if (waitMs <= toldAfterMs || state.toldUntil > now) return
  state.toldUntil = now + waitMs
  state.tellWait({ what: 'its turn under the rate limit', seconds: Math.ceil(waitMs / 1000) })
}

function end(state: State, wasAlone: boolean): void {
  state.underWay -= 1
  state.endedAt = state.clock.monotonic()
  if (wasAlone) {
    state.alone -= 1
    state.isHeld = false
  }
  free(state)
}

function noteServed(state: State, begunAt: number): void {
  const now = state.clock.monotonic()
  state.served = [...state.served.filter((at) => at + windowMs > now), begunAt]
  state.servedCount += 1
  state.leftMs = state.patienceMs
  if (state.pace === null || now - state.changedAt < growthMs) return
  state.changedAt = now
  const { perSecond, atOnce } = state.pace
  // Only what was used shows that more may be served.
  if (state.served.length < perSecond / 2) return
  const grown = perSecond * 2 < state.ceiling ? perSecond * 2 : perSecond * slowGrowth
  state.pace = { perSecond: grown, atOnce }
}

function slowDown(state: State, { seconds }: TooSoon): void {
  const now = state.clock.monotonic()
  const inWindow = state.served.filter((at) => at + windowMs > now).length
  if (state.pace !== null) state.ceiling = state.pace.perSecond
  const perSecond = Math.max(
    slowest,
    Math.min(state.pace?.perSecond ?? Number.POSITIVE_INFINITY, inWindow) * share,
  )
  // Few were served, and others were under way: the limit may be on those.
  const most = state.pace?.atOnce ?? mostAtOnceWhenLimited
  state.pace = { perSecond, atOnce: state.underWay > 0 && inWindow <= 2 ? 1 : most }
  state.nextAt = Math.max(state.nextAt, now + seconds * 1000)
  state.leftMs -= state.nextAt - now
  if (state.nextAt - now > toldAfterMs) {
    state.leftInAllMs -= state.nextAt - now
    state.tellWait({ what: 'the end of a rate limit', seconds: Math.ceil((state.nextAt - now) / 1000) })
  }
  state.changedAt = now
  state.servedAtChange = state.servedCount
  state.changes += 1
}

/** A part that serves nothing at any pace, or refuses at the slowest one, has no limit that a pace could keep. */
function stopPacing(state: State): void {
  state.pace = null
  state.nextAt = 0
  free(state)
}

/** Says whether lowering the pace has not helped for several times in a row. A ban serves no request meanwhile. */
function isFutile(state: State, { isSure }: TooSoon): boolean {
  const between = state.servedCount - state.servedAtChange
  if (isSure || state.pace === null || between === 0) return false
  state.futile = between > servedBetweenRefusals ? 0 : state.futile + 1
  return state.futile >= mostFutile
}

async function retry<T>(
  state: State,
  ask: () => Promise<T>,
  readLimit: (outcome: T) => TooSoon | null,
  order: Order,
): Promise<T> {
  let passedOver = 0
  let servedBefore = state.servedCount
  let quietMs: number | null = null
  for (;;) {
    await begin(state, order, quietMs)
    const [known, begunAt] = [state.changes, state.clock.monotonic()]
    let outcome: T
    try {
      outcome = await ask()
    } finally {
      end(state, quietMs !== null)
    }
    const limit = readLimit(outcome)
    if (limit === null || (!limit.isSure && state.mistaken >= mostMistaken)) {
      noteServed(state, begunAt)
      return outcome
    }
    if (state.servedCount > servedBefore) passedOver += 1
    servedBefore = state.servedCount
    if (quietMs !== null) {
      if (!limit.isSure) state.mistaken += 1
      state.futile = 0
      return outcome
    }
    if (state.changes === known && isFutile(state, limit)) {
      state.futile = 0
      state.mistaken += 1
      stopPacing(state)
      return outcome
    }
    const waitMs = limit.seconds * 1000
    if (passedOver >= mostPassedOver) quietMs = waitMs
    const isOver = waitMs > state.leftMs || (waitMs > toldAfterMs && waitMs > state.leftInAllMs)
    if (isOver) {
      stopPacing(state)
      return outcome
    }
    state.repeated += 1
    // A request from before the pace was lowered is only sent again.
    if (state.changes === known) slowDown(state, limit)
  }
}

function metLimit({ pace, blocked, repeated, waitedMs }: State): MetLimit | null {
  if (pace === null && blocked === null) return null
  return { repeated, waitedSeconds: Math.round(waitedMs / 1000), blocked: blocked ?? undefined }
}

function noteBlock(state: State, { seconds, rejections }: Block): void {
  const before = state.blocked
  state.blocked = {
    seconds: (before?.seconds ?? 0) + seconds,
    rejections: before?.rejections ?? rejections,
  }
}

/** How long a `Retry-After` in seconds asks to wait; a second where it says nothing that can be read. */
export function retryAfterSeconds(value: string | undefined): number {
  const seconds = Number(value ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 1
}
