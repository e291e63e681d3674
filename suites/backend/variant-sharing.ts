import { setTimeout } from 'node:timers/promises'
import type { Policies } from '../../src/requirement/define.ts'

type TokenFor = Policies['backend']['tokenFor']
type Minted = Awaited<ReturnType<TokenFor>>
interface Hooks {
  readonly tokenFor: TokenFor
}

/** One mint call at a time for each key: whoever comes meanwhile gets what it brings. */
export function shareInFlight(keyOf: (userId: string) => string): Hooks {
  return {
    tokenFor(userId, { mint, kept }) {
      const key = keyOf(userId)
      const shared = kept.get(key) ?? mint(userId).finally(() => kept.delete(key))
      kept.set(key, shared)
      return shared
    },
  }
}

/** Whoever asks while another request waits takes its place. */
export function storeUserInVariable(): Hooks {
  let current = ''
  return {
    async tokenFor(userId, { mint }) {
      current = userId
      await setTimeout(1)
      return await mint(current)
    },
  }
}

/** Whoever is answered while another request writes its log overwrites that one's token. */
export function storeReplyInVariable(): Hooks {
  let last: Minted
  return {
    async tokenFor(userId, { mint }) {
      last = await mint(userId)
      await setTimeout(1)
      return last
    },
  }
}

/** For so many milliseconds the last token serves whoever asks. */
export function cacheInSlot(milliseconds: number): Hooks {
  return {
    async tokenFor(userId, { mint, kept }) {
      const found = kept.get('last')
      if (found !== undefined) return await found
      const minted = await mint(userId)
      kept.set('last', Promise.resolve(minted))
      await setTimeout(milliseconds)
      kept.delete('last')
      return minted
    },
  }
}

/** Takes the mint's answers for the oldest requests that wait: right as long as they come in order. */
export function answerInOrder(): Hooks {
  const waiting: ((minted: Minted) => void)[] = []
  return {
    tokenFor(userId, { mint }) {
      const { promise, resolve, reject } = Promise.withResolvers<Minted>()
      waiting.push(resolve)
      mint(userId).then((minted) => waiting.shift()?.(minted), reject)
      return promise
    },
  }
}
