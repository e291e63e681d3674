import { setTimeout } from 'node:timers/promises'
import type { Policies } from '../../../src/requirement/define.ts'

type TokenFor = Policies['backend']['tokenFor']
type Minted = Awaited<ReturnType<TokenFor>>
interface Hooks {
  readonly tokenFor: TokenFor
}

/** On a busy machine the answers to two calls that failed together are read one after the other. */
const pauseMs = 1000

/** One variable for the user of the pending retry. */
export function retryForLastAsked(): Hooks {
  let asking = ''
  return {
    async tokenFor(userId, { mint }) {
      asking = userId
      return await mint(userId).catch(async () => {
        await setTimeout(pauseMs)
        return await mint(asking)
      })
    },
  }
}

/** Remembers the last user who got a token, and calls again for that one. */
export function retryForLastServed(): Hooks {
  let served: string | null = null
  return {
    async tokenFor(userId, { mint }) {
      try {
        const minted = await mint(userId)
        served = userId
        return minted
      } catch {
        await setTimeout(pauseMs)
        return await mint(served ?? userId)
      }
    },
  }
}

/** A stack of users to call for again: each request takes the newest of them. */
export function retryNewestFirst(): Hooks {
  const failed: string[] = []
  return {
    async tokenFor(userId, { mint }) {
      return await mint(userId).catch(async () => {
        failed.push(userId)
        await setTimeout(pauseMs)
        return await mint(failed.pop() ?? userId)
      })
    },
  }
}

/** One retry at a time: requests that fail meanwhile wait for its token. */
export function shareRetry(): Hooks {
  let pending: Promise<Minted> | null = null
  return {
    async tokenFor(userId, { mint }) {
      return await mint(userId).catch(async () => {
        pending ??= setTimeout(pauseMs)
          .then(() => mint(userId))
          .finally(() => {
            pending = null
          })
        return await pending
      })
    },
  }
}

/** An answer of the mint, whatever its status, is final; a lost connection is not. */
export function retryLostConnections(): Hooks {
  let asking = ''
  return {
    async tokenFor(userId, { mint }) {
      asking = userId
      return await mint(userId).catch((failure) =>
        failure.reply === null ? mint(asking) : Promise.reject(failure),
      )
    },
  }
}
