import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { each } from '../lib/broken-rows.ts'
import { cacheUntil, keepUser, shareCall, shareCalls } from './lib/variant-caches.ts'
import { alsoWithoutDouble, type Backend, backends } from './lib/variants.ts'

type TokenFor = Backend['tokenFor']
type Minted = Awaited<ReturnType<TokenFor>>

const fetching = (tokenFor: TokenFor): Catch => ({ backend: { tokenFor } })

export const broken: BrokenVariants = {
  'shares a mint call between requests of the same app': {
    backend: {
      async callingToken({ headers }, { authenticate, userId, mint, kept }) {
        const id = userId(await authenticate())
        return await shareCall(kept, headers['user-agent'] ?? '', () => mint(id))
      },
    },
  },
  ...alsoWithoutDouble(
    backends({
      'shares a mint call that is under way': shareCalls(() => 'everyone'),
      'keeps the user in a variable': keepUser(),
    }),
  ),
  ...each('keeps one token for everyone, until * s before its end', [0, 60], (seconds) => ({
    backend: cacheUntil(
      ({ expiresAt }) => expiresAt - seconds * 1000,
      () => 'everyone',
    ),
  })),
  'answers in the order in which the mint does': answerInOrder(),
  'retries a failed mint call for the user who asked last': retryForLast(),
  'retries mint calls whose connection was lost at once, for the user who asked last': retryForLast(true),
  'mints for everyone under one id': { backend: { userId: () => 'app' }, as: 'untested' },
  'sends one Idempotency-Key for all users': {
    backend: {
      callMint: (call, usual) =>
        usual({ ...call, headers: { ...call.headers, 'idempotency-key': 'calling-token' } }),
    },
    as: 'warn',
  },
}

/** On a busy machine the answers to two calls that failed together are read one after the other. */
const pauseMs = 1000

/** Assigns each of the mint's responses to the oldest waiting request, which is right only while they come in order. */
function answerInOrder(): Catch {
  const waiting: ((minted: Minted) => void)[] = []
  return fetching((userId, { mint }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Minted>()
    waiting.push(resolve)
    mint(userId).then((minted) => waiting.shift()?.(minted), reject)
    return promise
  })
}

/**
 * One variable for the user of the pending retry.
 * @param isOnlyLost whether any answer of the mint is final; a lost connection is not, and is retried at once
 */
function retryForLast(isOnlyLost = false): Catch {
  let last: string | null = null
  return fetching(async (userId, { mint }) => {
    last = userId
    try {
      return await mint(userId)
    } catch (failure) {
      if (isOnlyLost && (failure as { readonly reply: unknown }).reply !== null) throw failure
      if (!isOnlyLost) await setTimeout(pauseMs)
      return await mint(last)
    }
  })
}
