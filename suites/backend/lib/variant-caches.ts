import { setTimeout as delay } from 'node:timers/promises'
import { readToken } from '../../../src/base/tokens/decode.ts'
import type { Policies } from '../../../src/requirement/define.ts'

type TokenFor = Policies['backend']['tokenFor']
type Steps = Parameters<TokenFor>[1]
type Minted = Awaited<ReturnType<TokenFor>>
type Hooks = Pick<Policies['backend'], 'tokenFor'>
/** Milliseconds until a mint call that failed is tried again. */
const againMs = 30

/** Milliseconds since 1970. */
interface Times {
  readonly usedAt: number
  readonly expiresAt: number
  /** The expiry of the latest token of any user. */
  readonly lastExpiresAt: number
}

function expiryOf({ token }: Minted): number {
  const exp = readToken(String(token))?.claims?.['exp']
  return typeof exp === 'number' ? exp * 1000 : 0
}

/** A cache, keyed by user unless `keyOf` is given, that takes a token for valid until the instant that `until` returns. */
export function cacheUntil(
  until: (times: Times) => number,
  keyOf: (userId: string) => string = (userId) => userId,
): Hooks {
  // Each start of a variant has a separate memory.
  const memories = new WeakMap<object, Map<string, { readonly minted: Minted; readonly usedAt: number }>>()
  return {
    async tokenFor(userId, { mint, kept }) {
      const memory = memories.get(kept) ?? new Map()
      memories.set(kept, memory)
      const found = memory.get(keyOf(userId))
      const lastExpiresAt = Math.max(0, ...[...memory.values()].map(({ minted }) => expiryOf(minted)))
      const now = Date.now()
      const isKept =
        found !== undefined &&
        now < until({ usedAt: found.usedAt, expiresAt: expiryOf(found.minted), lastExpiresAt })
      const minted = isKept ? found.minted : await mint(userId)
      memory.set(keyOf(userId), { minted, usedAt: now })
      return minted
    },
  }
}

/** A cache of the last token by this key, which returns what `choose` does of it. */
function keeping(
  choose: (
    cache: { readonly found: Promise<Minted> | undefined; renew(): Promise<Minted> },
    steps: Steps,
  ) => Promise<Minted>,
  keyOf: (userId: string) => string = (userId) => userId,
): Hooks {
  return {
    tokenFor(userId, steps) {
      const { mint, kept } = steps
      const renew = async () => {
        const minted = await mint(userId)
        kept.set(keyOf(userId), Promise.resolve(minted))
        return minted
      }
      return choose({ found: kept.get(keyOf(userId)), renew }, steps)
    },
  }
}

export function keepFirst(keyOf?: (userId: string) => string): Hooks {
  return cacheUntil(() => Number.POSITIVE_INFINITY, keyOf)
}

/** One mint call at a time per key: requests that arrive meanwhile share its token. */
export function shareCall(kept: Steps['kept'], key: string, mint: () => Promise<Minted>): Promise<Minted> {
  const call = kept.get(key) ?? mint().finally(() => kept.delete(key))
  kept.set(key, call)
  return call
}

export function shareCalls(keyOf: (userId: string) => string): Hooks {
  return { tokenFor: (userId, { kept, mint }) => shareCall(kept, keyOf(userId), () => mint(userId)) }
}

/** A request that arrives while another one waits replaces its user. */
export function keepUser(): Hooks {
  let current = ''
  return {
    async tokenFor(userId, { mint }) {
      current = userId
      await delay(1)
      return await mint(current)
    },
  }
}

/** A backend's view of a failed mint call: the answer, or `null` where there was none, and then the cause. */
interface Failed {
  readonly reply: { readonly status: number } | null
  readonly cause?: unknown
}

/** Mints for every request, and returns the last token of the user where that fails so. */
export function fallBackToLast(
  isCovered: (failure: Failed, last: Minted) => boolean = () => true,
  keyOf?: (userId: string) => string,
): Hooks {
  return keeping(
    ({ found, renew }) =>
      renew().catch(async (failure) => {
        const last = await found
        return last !== undefined && isCovered(failure, last) ? last : Promise.reject(failure)
      }),
    keyOf,
  )
}

/** Opens for good with the first failure after a success, and then returns the last token by this key without a mint call. */
export function breakAfterFailure(keyOf: (userId: string) => string): Hooks {
  const broken = new WeakSet<object>()
  return keeping(async ({ found, renew }, { kept }) => {
    if (found !== undefined && broken.has(kept)) return await found
    return await renew().catch((failure) => {
      broken.add(kept)
      throw failure
    })
  }, keyOf)
}

/** Returns the user's last token and keeps the next one, which it mints once more in the background where the mint refuses. */
export function mintAhead(): Hooks {
  return keeping(async ({ found, renew }) => {
    const next = renew()
    next.catch(() => delay(againMs).then(renew)).catch(() => undefined)
    const minted = await next.catch((failure: Failed) =>
      failure.reply === null || found === undefined ? Promise.reject(failure) : found,
    )
    return (await found) ?? minted
  })
}

export function failAfterExpiry(): Hooks {
  return keeping(async ({ found, renew }) => {
    const minted = (await found) ?? (await renew())
    if (Date.now() >= expiryOf(minted)) throw new Error('the token has expired')
    return minted
  })
}
