import type { Clock } from '../clock.ts'
import type { Block } from '../limiter.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import type { TellWait } from '../told-wait.ts'
import type { Reply } from './client.ts'

/**
 * Finds the time in which a part refuses everyone, as firewalls do after some rejected requests. Its refusals then say nothing about
 * what was asked, so that it is asked again when the block is over.
 */
export interface BlockWatch<Outcome> {
  /**
   * Sends a request, again where only a block has refused it.
   * @param isRefusal says which outcomes can come from a block; those of the signs where absent
   */
  send(ask: () => Promise<Outcome>, isRefusal?: (outcome: Outcome) => boolean): Promise<Outcome>
  /** Asks for something ordinary. True where that was refused, and is served again now. */
  outlast(): Promise<boolean>
}

/** How an outcome shows what became of a request. */
export interface BlockSigns<Outcome> {
  isServed(outcome: Outcome): boolean
  isRejected(outcome: Outcome): boolean
  /** It can come from a block. */
  isRefusal(outcome: Outcome): boolean
  /** An ordinary request that met this shows a block; a refusal where absent. */
  isBlocked?(outcome: Outcome): boolean
  /** Refusals of one cause have the same. */
  kindOf(outcome: Outcome): string
}

export interface BlockWatchOptions<Outcome> {
  readonly signs: BlockSigns<Outcome>
  readonly clock: Clock
  readonly limits?: Pick<Limits, 'patienceSeconds'> | undefined
  /** Sends a request that this part has served before; null where it has served none yet. */
  readonly askOrdinary: () => Promise<Outcome | null> | null
  readonly onOver: (block: Block) => void
  readonly tellWait?: TellWait | undefined
}

/** Blocks last for a minute as a rule, and rate limits for seconds. */
export const timesPatience = 4
/** So many blocks of the longest kind are waited for in a whole run: one that comes again and again is a limit. */
const mostBlocks = 4
const stepMs = 3_000
/** So many like refusals beside an ordinary request that was served show that the part itself refuses. */
const mostOwn = 2
const mostAgain = 2
/** Rejected requests a second that most bans let pass; half as many after each further one. */
const firstPerSecond = 2
const leastPerSecond = 0.5
const glanceMs = 100

/** How an ordinary request fared when a refusal was met. */
type Look = 'served' | 'served again' | 'unknown'

export function createBlockWatch<Outcome>({
  signs,
  clock,
  limits: { patienceSeconds } = defaultLimits,
  askOrdinary,
  onOver,
  tellWait = () => undefined,
}: BlockWatchOptions<Outcome>): BlockWatch<Outcome> {
  const patienceMs = patienceSeconds * 1000 * timesPatience
  const isBlocked = signs.isBlocked ?? signs.isRefusal
  const own = new Map<string, number>()
  let leftInAllMs = patienceMs * mostBlocks
  let looking: Promise<Look> | null = null
  let rejections = 0
  /** A block that was not over in time is not waited for again until something is served. */
  let hasStayed = false
  /** Rejected requests a second since the last block. */
  let perSecond = Number.POSITIVE_INFINITY
  let nextAt = 0

  /** Each request takes a place in the pace, and gives it back unless it is rejected. */
  const takeTurn = async (): Promise<void> => {
    for (let now = clock.monotonic(); now < nextAt; now = clock.monotonic())
      await clock.until(Math.min(nextAt, now + glanceMs))
    nextAt = Math.max(nextAt, clock.monotonic()) + 1000 / perSecond
  }

  const waitForEnd = async (): Promise<boolean> => {
    const begun = clock.monotonic()
    const caused = rejections
    const what = `the end of a block of all requests, after ${caused} that were rejected`
    tellWait({ what, seconds: Math.ceil(patienceMs / 1000) })
    let isOver = false
    while (!isOver && clock.monotonic() + stepMs <= begun + patienceMs) {
      await clock.until(clock.monotonic() + stepMs)
      const reply = await askOrdinary()
      isOver = reply !== null && !isBlocked(reply)
    }
    tellWait({ what, seconds: 0 })
    leftInAllMs -= clock.monotonic() - begun
    hasStayed = !isOver
    rejections = 0
    if (!isOver) return false
    perSecond = Number.isFinite(perSecond) ? Math.max(leastPerSecond, perSecond / 2) : firstPerSecond
    onOver({ seconds: Math.round((clock.monotonic() - begun) / 1000), rejections: caused })
    return true
  }

  const look = async (): Promise<Look> => {
    const ordinary = await askOrdinary()
    if (ordinary === null) return 'unknown'
    if (!isBlocked(ordinary)) return 'served'
    return (await waitForEnd()) ? 'served again' : 'unknown'
  }

  const lookOnce = async (): Promise<Look> => {
    if (hasStayed || leftInAllMs <= 0) return 'unknown'
    looking ??= look().finally(() => {
      looking = null
    })
    return await looking
  }

  return {
    outlast: async () => (await lookOnce()) === 'served again',
    async send(ask, isRefusedByBlock = signs.isRefusal) {
      for (let again = 0; ; again += 1) {
        if (looking !== null) await looking
        await takeTurn()
        const outcome = await ask()
        if (signs.isServed(outcome)) hasStayed = false
        if (signs.isRejected(outcome)) rejections += 1
        else nextAt -= 1000 / perSecond
        if (!isRefusedByBlock(outcome) || again >= mostAgain) return outcome
        const kind = signs.kindOf(outcome)
        const seen = own.get(kind) ?? 0
        if (seen >= mostOwn) return outcome
        const found = await lookOnce()
        if (found === 'served') own.set(kind, seen + 1)
        if (found !== 'served again') return outcome
      }
    },
  }
}

export const replySigns: BlockSigns<Reply> = {
  isServed: (reply) => reply.kind === 'answer' && reply.status < 300,
  isRejected: (reply) => reply.kind === 'answer' && reply.status >= 400 && reply.status < 500,
  isRefusal,
  kindOf,
}

/** Statuses with which firewalls and bans refuse. */
function isRefusal(reply: Reply): boolean {
  return reply.kind === 'answer' && (reply.status === 403 || reply.status === 429)
}

/** Refusals of one cause differ in times and ids at most. */
function kindOf(reply: Reply): string {
  return reply.kind === 'answer'
    ? `${reply.status} ${reply.body.slice(0, 500).replace(/[\da-f]{2,}/gi, '')}`
    : ''
}
