import { setTimeout } from 'node:timers/promises'
import type { Policies } from '../../../src/requirement/define.ts'

type TokenFor = Policies['backend']['tokenFor']
type Minted = Awaited<ReturnType<TokenFor>>
interface Hooks {
  readonly tokenFor: TokenFor
}

/** One mint call at a time per key: requests that arrive meanwhile share its token. */
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

/** One mint call at a time per key in the headers of the app's requests. */
export function shareBy(keyOf: (headers: Readonly<Record<string, string | undefined>>) => string) {
  return {
    async callingToken(
      { headers }: { readonly headers: Readonly<Record<string, string | undefined>> },
      { authenticate, userId, mint, kept }: Parameters<Policies['backend']['callingToken']>[1],
    ): Promise<Minted> {
      const id = userId(await authenticate())
      const key = keyOf(headers)
      const shared = kept.get(key) ?? mint(id).finally(() => kept.delete(key))
      kept.set(key, shared)
      return await shared
    },
  }
}

/** A request that arrives while another one waits replaces its user. */
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

/** A reply that arrives while another request waits overwrites its token. */
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

/** For so many milliseconds every request gets the last token. */
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

/** Assigns each of the mint's responses to the oldest waiting request, which is right only while they come in order. */
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
