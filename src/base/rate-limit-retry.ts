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

/** How fast a part was found to take requests. */
export interface FoundPace {
  readonly perSecond: number
  /** Requests that are under way at once. */
  readonly atOnce: number
  /** Blocks of every request, which a faster pace had led to. */
  readonly blocked?: Block | undefined
}

/** A time in which a part refused every request, as firewalls do after some that it had rejected. */
export interface Block {
  readonly seconds: number
  /** Requests that it had rejected before. */
  readonly rejections: number
}

/** Paces of the parts that were found to limit their rate. */
export type FoundPaces = Readonly<Partial<Record<PacedPart, FoundPace>>>

/**
 * Keeps to a limit on the rate that nobody has configured: repeats what was refused for coming too soon, and sends what follows at
 * the pace that the part was seen to serve. A limit says nothing about what was asked, so that a burst of ours would hide
 * the verdict.
 */
export interface RateLimitRetry {
  /** @param order `first` goes before all others that wait: it brings a token, which expires while it waits */
  <T>(ask: () => Promise<T>, readLimit: (outcome: T) => TooSoon | null, order?: Order): Promise<T>
  /** Null where no limit was met. */
  found(): FoundPace | null
  /** Notes a block that is over, and the requests a second since. */
  noteBlock(block: Block, perSecond: number): void
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

/** @param limits.patienceSeconds waited while nothing is served: a limit that does not end is soon taken for the answer */
export function createRateLimitRetry(
  clock: Clock,
  { patienceSeconds }: Pick<Limits, 'patienceSeconds'> = defaultLimits,
  tellWait: TellWait = () => undefined,
): RateLimitRetry {
  const patienceMs = patienceSeconds * 1000
  let leftMs = patienceMs
  /** Left of the long waits of a whole run. */
  let leftInAllMs = patienceMs * timesPatienceInAll
  let pace: FoundPace | null = null
  /** The pace at which the last refusal came. */
  let ceiling = Number.POSITIVE_INFINITY
  /** The same, or how many a second were served when no pace was kept yet. */
  let refusedPerSecond = Number.POSITIVE_INFINITY
  /** When what was served began, within the last window. */
  let served: number[] = []
  let servedCount = 0
  /** The most that were served within a window. */
  let mostServed = 0
  let underWay = 0
  let nextAt = 0
  let changedAt = 0
  let changes = 0
  let blocked: FoundPace | null = null
  let mistaken = 0
  let futile = 0
  /** How many were served when the pace was last lowered. */
  let servedAtChange = 0
  /** Requests that wait until nothing else is under way, or are under way so. */
  let alone = 0
  let isHeld = false
  let endedAt = Number.NEGATIVE_INFINITY
  const gates: Record<Order, Promise<unknown>> = { first: Promise.resolve(), 'in turn': Promise.resolve() }
  let waitingFirst = 0
  let whenFreed = Promise.withResolvers<void>()
  const free = () => {
    whenFreed.resolve()
    whenFreed = Promise.withResolvers()
  }

  /**
   * One after the other, each when the pace allows.
   * @param quietMs begins alone, after so long without any other
   */
  const takeTurn = (order: Order, quietMs: number | null): Promise<void> => {
    if (order === 'first') waitingFirst += 1
    const mine = gates[order].then(async () => {
      for (;;) {
        const now = clock.monotonic()
        const isFull = isHeld || (pace !== null && underWay >= pace.atOnce)
        const isAmongOthers = quietMs !== null && underWay > 0
        const begunBy = Math.max(nextAt, quietMs === null ? 0 : endedAt + quietMs)
        if (isFull || isAmongOthers || (order === 'in turn' && waitingFirst > 0)) await whenFreed.promise
        else if (begunBy > now) await clock.until(begunBy)
        else {
          isHeld = quietMs !== null
          if (pace !== null) nextAt = now + windowMs / pace.perSecond
          underWay += 1
          if (order === 'in turn') return
          waitingFirst -= 1
          return free()
        }
      }
    })
    gates[order] = mine
    return mine
  }

  const begin = async (order: Order, quietMs: number | null): Promise<void> => {
    if (quietMs !== null) alone += 1
    if (pace !== null || nextAt > clock.monotonic() || alone > 0) await takeTurn(order, quietMs)
    else underWay += 1
  }

  const end = (wasAlone: boolean) => {
    underWay -= 1
    endedAt = clock.monotonic()
    if (wasAlone) {
      alone -= 1
      isHeld = false
    }
    free()
  }

  const noteServed = (begunAt: number) => {
    const now = clock.monotonic()
    served = [...served.filter((at) => at + windowMs > now), begunAt]
    servedCount += 1
    mostServed = Math.max(mostServed, served.length)
    leftMs = patienceMs
    if (pace === null || now - changedAt < growthMs) return
    changedAt = now
    const { perSecond, atOnce } = pace
    // Only what was used shows that more may be served.
    if (served.length < perSecond / 2) return
    const grown = perSecond * 2 < ceiling ? perSecond * 2 : perSecond * slowGrowth
    pace = { perSecond: grown, atOnce }
  }

  const slowDown = ({ seconds }: TooSoon, others: number) => {
    const now = clock.monotonic()
    const inWindow = served.filter((at) => at + windowMs > now).length
    if (pace !== null) ceiling = pace.perSecond
    if (pace !== null || inWindow > 0) refusedPerSecond = pace?.perSecond ?? inWindow
    const perSecond = Math.max(
      slowest,
      Math.min(pace?.perSecond ?? Number.POSITIVE_INFINITY, inWindow) * share,
    )
    // Few were served, and others were under way: the limit may be on those.
    const most = pace?.atOnce ?? mostAtOnceWhenLimited
    pace = { perSecond, atOnce: others > 0 && inWindow <= 2 ? 1 : most }
    nextAt = Math.max(nextAt, now + seconds * 1000)
    leftMs -= nextAt - now
    if (nextAt - now > toldAfterMs) {
      leftInAllMs -= nextAt - now
      tellWait({ what: 'the end of a rate limit', seconds: Math.ceil((nextAt - now) / 1000) })
    }
    changedAt = now
    servedAtChange = servedCount
    changes += 1
  }

  /** A part that serves nothing at any pace, or refuses at the slowest one, has no limit that a pace could keep. */
  const stopPacing = () => {
    pace = null
    nextAt = 0
    free()
  }

  /** Says whether lowering the pace has not helped for several times in a row. A ban serves no request meanwhile. */
  const isFutile = ({ isSure }: TooSoon): boolean => {
    const between = servedCount - servedAtChange
    if (isSure || pace === null || between === 0) return false
    futile = between > servedBetweenRefusals ? 0 : futile + 1
    return futile >= mostFutile
  }

  const retry = async <T>(
    ask: () => Promise<T>,
    readLimit: (outcome: T) => TooSoon | null,
    order: Order = 'in turn',
  ): Promise<T> => {
    let passedOver = 0
    let servedBefore = servedCount
    let quietMs: number | null = null
    for (;;) {
      await begin(order, quietMs)
      const [known, begunAt] = [changes, clock.monotonic()]
      let outcome: T
      try {
        outcome = await ask()
      } finally {
        end(quietMs !== null)
      }
      const limit = readLimit(outcome)
      if (limit === null || (!limit.isSure && mistaken >= mostMistaken)) {
        noteServed(begunAt)
        return outcome
      }
      if (servedCount > servedBefore) passedOver += 1
      servedBefore = servedCount
      if (quietMs !== null) {
        if (!limit.isSure) mistaken += 1
        futile = 0
        return outcome
      }
      if (changes === known && isFutile(limit)) {
        futile = 0
        mistaken += 1
        stopPacing()
        return outcome
      }
      const waitMs = limit.seconds * 1000
      if (passedOver >= mostPassedOver) quietMs = waitMs
      const isOver = waitMs > leftMs || (waitMs > toldAfterMs && waitMs > leftInAllMs)
      // A request from before the pace was lowered is only sent again.
      if (changes !== known && !isOver) continue
      if (isOver) {
        stopPacing()
        return outcome
      }
      slowDown(limit, underWay)
    }
  }
  // Growth that met no refusal yet, or was not used, shows no limit.
  const found = () => {
    if (pace === null) return blocked
    const known = [pace.perSecond, refusedPerSecond, Math.max(slowest, mostServed)]
    return { ...blocked, ...pace, perSecond: Math.min(...known, blocked?.perSecond ?? pace.perSecond) }
  }
  const noteBlock = ({ seconds, rejections }: Block, perSecond: number) => {
    const before = blocked?.blocked
    blocked = {
      perSecond,
      atOnce: mostAtOnceWhenLimited,
      blocked: { seconds: (before?.seconds ?? 0) + seconds, rejections: before?.rejections ?? rejections },
    }
  }
  return Object.assign(retry, { found, noteBlock })
}

/** How long a `Retry-After` in seconds asks to wait; a second where it says nothing that can be read. */
export function retryAfterSeconds(value: string | undefined): number {
  const seconds = Number(value ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 1
}
