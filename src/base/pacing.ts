import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from './clock.ts'
import { type TellWait, type ToldWait, toldAfterMs } from './told-wait.ts'

/** How fast the suite's own requests to one part of an implementation may follow each other. */
export interface PaceLimit {
  /** Requests that are begun in a second, at equal distances; as many as it takes where absent. */
  readonly perSecond?: number
  /** Requests that are under way at once, which are begun together. Where absent, each is begun alone, and none waits for another's answer. */
  readonly atOnce?: number
}

export const pacedParts = ['mint', 'backend', 'signaling'] as const
export type PacedPart = (typeof pacedParts)[number]
export type PaceLimits = Readonly<Partial<Record<PacedPart, PaceLimit>>>

/** Lets requests to one part begin when their turn has come. */
export interface Pacer {
  run<T>(start: () => Promise<T>): Promise<T>
}

/** A limiter that counts seconds of its own sees requests closer together than they were sent. */
const secondMs = 1100

interface Asker {
  readonly name: string
  readonly isUrgent: boolean
}

interface Waiting {
  readonly asker: Asker
  start(): void
}

const anyAsker: Asker = { name: '', isUrgent: false }
const askers = new AsyncLocalStorage<Asker>()

/**
 * Names the one for whom requests are sent. All of them take turns, so that many requests of one hold up no other; what is
 * urgent goes first, because a token expires meanwhile.
 */
export function asAsker<T>(asker: Asker, run: () => Promise<T>): Promise<T> {
  return askers.run(asker, run)
}

/** How many requests to a part can be begun together. Each call of a backend costs a call of the mint, whose limit counts for both. */
export function mostAtOnce(limits: PaceLimits, part: PacedPart): number {
  const counting = part === 'backend' ? [limits.backend, limits.mint] : [limits[part]]
  return Math.min(
    ...counting.map((limit) => (limit === undefined ? Number.POSITIVE_INFINITY : (limit.atOnce ?? 1))),
  )
}

export interface Pacers {
  of(part: string): Pacer | undefined
}

/** @param isFirst whether nothing of this suite has spoken to the parts within the last second */
export function createPacers(
  limits: PaceLimits,
  clock: Clock,
  isFirst: boolean,
  tellWait?: TellWait,
): Pacers {
  const made = new Map<string, Pacer>()
  for (const part of pacedParts) {
    const limit = limits[part]
    const tell = ({ seconds }: Pick<ToldWait, 'seconds'>) =>
      tellWait?.({ what: `its turn at the pace of limits.pace.${part}`, seconds })
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
  tellTurn: (wait: Pick<ToldWait, 'seconds'>) => void = () => undefined,
): Pacer {
  const spacingMs = secondMs / perSecond
  const mostInSecond = Math.max(1, Math.floor(perSecond))
  const together = atOnce ?? (perSecond === Number.POSITIVE_INFINITY ? perSecond : 1)
  const queue: Waiting[] = []
  /** When requests began within the last second, and when the next may begin. */
  let begun: number[] = isFirst || perSecond === Number.POSITIVE_INFINITY ? [] : fill(mostInSecond, clock)
  let nextAt = 0
  let underWay = 0
  let last = ''
  let isAwake = false
  /** The end of the wait that was told last: it is that of all who wait. */
  let toldUntil = 0

  const tellLongWait = () => {
    const [now, waitMs] = [clock.monotonic(), queue.length * spacingMs]
    if (waitMs <= toldAfterMs || toldUntil > now) return
    toldUntil = now + waitMs
    tellTurn({ seconds: Math.ceil(waitMs / 1000) })
  }

  const wake = () => {
    if (isAwake || queue.length === 0) return
    isAwake = true
    // Requests that are asked for together begin together.
    setImmediate(() => void proceed())
  }

  const proceed = async () => {
    for (;;) {
      const now = clock.monotonic()
      // Compared as it is reckoned below, so that rounding leaves no request waiting.
      begun = begun.filter((at) => at + secondMs > now)
      const room = Math.min((atOnce ?? Number.POSITIVE_INFINITY) - underWay, queue.length, together)
      if (room <= 0) break
      const free = mostInSecond - begun.length
      const at = free > 0 ? nextAt : Math.max(nextAt, (begun[0] ?? now) + secondMs)
      if (at > now) {
        await clock.until(at)
        continue
      }
      const group = Math.min(room, free)
      for (let count = 0; count < group; count += 1) begin(now)
      nextAt = now + group * spacingMs
    }
    isAwake = false
  }

  const begin = (now: number) => {
    const next = takeTurn()
    if (next === undefined) return
    underWay += 1
    begun.push(now)
    next.start()
  }

  /** The first that is urgent, else the next of another asker than the last one. */
  const takeTurn = (): Waiting | undefined => {
    const names = [...new Set(queue.map(({ asker }) => asker.name))]
    const turn = names[(names.indexOf(last) + 1) % names.length]
    const place = queue.findIndex(({ asker }) => asker.isUrgent)
    const [next] = queue.splice(place < 0 ? queue.findIndex(({ asker }) => asker.name === turn) : place, 1)
    last = next?.asker.name ?? last
    return next
  }

  return {
    run: (start) =>
      new Promise((resolve, reject) => {
        // The end of one request starts the next, which must keep the context in which it was asked for.
        const asAsked = AsyncLocalStorage.snapshot()
        const begin = () => {
          asAsked(start)
            .then(resolve, reject)
            .finally(() => {
              underWay -= 1
              wake()
            })
        }
        tellLongWait()
        queue.push({ asker: askers.getStore() ?? anyAsker, start: begin })
        wake()
      }),
  }
}

function fill(count: number, clock: Clock): number[] {
  return Array.from({ length: Math.min(count, 1000) }, () => clock.monotonic())
}
