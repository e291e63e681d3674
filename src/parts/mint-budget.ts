import { AsyncLocalStorage } from 'node:async_hooks'
import { Untested } from '../check/judge.ts'

/** How many calling tokens a run may have issued. What would go beyond it is not asked for. */
export interface MintBudget {
  /** Runs one request that issues a token, or refuses to; throws `Untested` where no token is left. */
  within<T>(request: () => Promise<T>, hasIssued: (outcome: T) => boolean): Promise<T>
  /** A token that somebody else was issued on our behalf: it counts, and cannot be held back. */
  count(): void
  /** Runs something, and says whether it was denied a token meanwhile. */
  watch(run: () => Promise<void>): Promise<boolean>
}

/** Null: there is no limit. */
export function createMintBudget(limit: number | null): MintBudget {
  const watching = new AsyncLocalStorage<{ denied: boolean }>()
  let used = 0
  return {
    async within(request, hasIssued) {
      if (limit !== null && used >= limit) {
        const watched = watching.getStore()
        if (watched !== undefined) watched.denied = true
        throw new Untested(`the ${limit} calling tokens of --max-mints are used up`)
      }
      // Counted before it is known, so that many at once do not go beyond the limit together.
      used += 1
      try {
        const outcome = await request()
        if (!hasIssued(outcome)) used -= 1
        return outcome
      } catch (error) {
        used -= 1
        throw error
      }
    },
    count() {
      used += 1
    },
    async watch(run) {
      const watched = { denied: false }
      await watching.run(watched, run)
      return watched.denied
    },
  }
}
