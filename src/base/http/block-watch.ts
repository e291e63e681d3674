import type { Clock } from '../clock.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import type { Block } from '../rate-limit-retry.ts'
import type { TellWait } from '../told-wait.ts'
import type { Reply } from './client.ts'

/**
 * Finds the time in which a part refuses everyone, as firewalls do after some rejected requests. Its refusals then say nothing about
 * what was asked, so that it is asked again when the block is over.
 */
export interface BlockWatch {
  /**
   * Sends a request, again where only a block has refused it.
   * @param isRefusal says which answers can come from a block; 403 and 429 where absent
   */
  send(ask: () => Promise<Reply>, isRefusal?: (reply: Reply) => boolean): Promise<Reply>
  /** Asks for something ordinary. True where that was refused, and is served again now. */
  outlast(): Promise<boolean>
}

export interface BlockWatchOptions {
  readonly clock: Clock
  readonly limits?: Pick<Limits, 'patienceSeconds'> | undefined
  /** Sends a request that this part has served before; null where it has served none yet. */
  readonly askOrdinary: () => Promise<Reply> | null
  readonly onOver: (block: Block, perSecond: number) => void
  /** True for a request that cannot wait for what others find out; absent: each can. */
  readonly isApart?: (() => boolean) | undefined
  readonly tellWait?: TellWait | undefined
}

/** Blocks last for a minute as a rule, and rate limits for seconds. */
const timesPatience = 4
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

export function createBlockWatch({
  clock,
  limits: { patienceSeconds } = defaultLimits,
  askOrdinary,
  onOver,
  isApart = () => false,
  tellWait = () => undefined,
}: BlockWatchOptions): BlockWatch {
  const patienceMs = patienceSeconds * 1000 * timesPatience
  const own = new Map<string, number>()
  let leftInAllMs = patienceMs * mostBlocks
  let looking: Promise<boolean> | null = null
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
      isOver = reply !== null && !isRefusal(reply)
    }
    tellWait({ what, seconds: 0 })
    leftInAllMs -= clock.monotonic() - begun
    hasStayed = !isOver
    rejections = 0
    if (!isOver) return false
    perSecond = Number.isFinite(perSecond) ? Math.max(leastPerSecond, perSecond / 2) : firstPerSecond
    onOver({ seconds: Math.round((clock.monotonic() - begun) / 1000), rejections: caused }, perSecond)
    return true
  }

  const look = async (): Promise<boolean> => {
    const ordinary = await askOrdinary()
    return ordinary !== null && isRefusal(ordinary) && (await waitForEnd())
  }

  const outlast = async (): Promise<boolean> => {
    if (hasStayed || leftInAllMs <= 0) return false
    if (isApart()) return await look()
    looking ??= look().finally(() => {
      looking = null
    })
    return await looking
  }

  return {
    outlast,
    async send(ask, isRefusedByBlock = isRefusal) {
      for (let again = 0; ; again += 1) {
        if (looking !== null && !isApart()) await looking
        await takeTurn()
        const reply = await ask()
        if (reply.kind === 'answer' && reply.status < 300) hasStayed = false
        if (reply.kind === 'answer' && reply.status >= 400 && reply.status < 500) rejections += 1
        else nextAt -= 1000 / perSecond
        if (!isRefusedByBlock(reply) || again >= mostAgain) return reply
        const kind = kindOf(reply)
        const seen = own.get(kind) ?? 0
        if (seen >= mostOwn) return reply
        if (!(await outlast())) {
          own.set(kind, seen + 1)
          return reply
        }
      }
    },
  }
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
