import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { StormPlan } from './plan.ts'
import type { Tally } from './tally.ts'
import type { Target } from './target.ts'

/** A token as a user of the storm holds it. */
export interface Held {
  readonly jwt: string
  readonly userId: string
}

/** A token made to be refused. */
export interface Lure extends Held {
  readonly name: string
  /** Monotonic milliseconds at which it was first refused; null before. An expired token counts from then on. */
  refusedAt: number | null
  /** Monotonic milliseconds from which on it has expired; null for a forgery. */
  readonly expiredAt: number | null
}

/** One process or thread that makes a part of the load. */
export interface Storm {
  readonly tally: Tally
  readonly target: Target
  readonly plan: StormPlan
  /** Where the claims of tokens that were issued before the load name their user. */
  readonly tells: { readonly route: boolean; readonly mint: boolean }
  /** Seconds by which expiries are off this machine's clock; null where no token states one. */
  readonly usualOffset: number | null
  readonly lures: readonly Lure[]
  /** Digests of the tokens of the storm, and whose they are. */
  readonly owners: Map<string, string>
  /** Sessions that have a socket: a service may let each user have one. */
  readonly joined: Set<string>
  readonly startedAt: number
  /** How busy this thread was before the load. */
  readonly idle: EventLoopUtilization
  turns: number
  places: number
}

/** The tally as it is now, with the cost of the load so far. */
export function readTally({ tally, target, idle }: Storm): Tally {
  const { active } = performance.eventLoopUtilization(idle)
  return {
    ...tally,
    endedAt: target.clock.wall(),
    busyMs: Math.round(active),
    megabytes: Math.round(process.memoryUsage().rss / 1_048_576),
  }
}
