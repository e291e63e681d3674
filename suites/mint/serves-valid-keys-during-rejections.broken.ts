import type { Catch } from '../../src/requirement/define.ts'
import { ofMint, rows } from '../lib/broken-rows.ts'
import { bearerOf, jsonAnswer } from './lib/variant-answers.ts'

/** What requests meet when rejected ones keep all workers; null is no answer. */
const leaks = {
  'keeps the workers of rejected requests': { status: 503, hitsAll: true },
  'keeps the workers of rejected requests, and fails without one': { status: 500, hitsAll: true },
  'keeps what rejected requests had locked, which only valid ones wait for': { status: null, hitsAll: false },
} as const

export const broken = {
  ...rows<(typeof leaks)[keyof typeof leaks]>(leaks, (leak) => ({
    ...leakingWorkers(20, leak),
    configuration: { limits: { neverSeconds: 3, patienceSeconds: 2, requestSeconds: 8 } },
  })),
  ...ofMint({
    'accepts a key after ten rejections': acceptingEvery(11),
    'issues for the user of the rejected request': inheritingUser(),
    'bans another user for good after five rejections': banningNext(5),
  }),
}

type Mint = NonNullable<Catch['mint']>

/** The userId of a request; undefined for a body without one. */
function userIn(body: string | null): string | undefined {
  try {
    const named: unknown = JSON.parse(body ?? '')?.userId
    return typeof named === 'string' ? named : undefined
  } catch {
    return undefined
  }
}

/** Each rejected request keeps one of so many workers; without one, requests meet the status, or no answer where it is null. */
function leakingWorkers(
  most: number,
  { status, hitsAll }: { readonly status: 500 | 503 | null; readonly hitsAll: boolean },
): Catch {
  let free = most
  return {
    restart: () => {
      free = most
    },
    mint: {
      answer(usual, { method }) {
        if (method === 'GET') return usual
        const isRejected = usual.status >= 400
        if (isRejected) free -= 1
        if (free >= 0 || (isRejected && !hitsAll)) return usual
        return status === null
          ? new Promise<never>(() => undefined)
          : jsonAnswer({ error: 'there is no free worker' }, status)
      },
    },
  }
}

/** A lookup that gives up: each such request with a key that is not valid is served. */
function acceptingEvery(nth: number): Mint {
  const failures = new Map<string, number>()
  return {
    async refuse({ status, message }, { headers, body }, { issueFreely }) {
      const key = headers.authorization ?? ''
      const count = (failures.get(key) ?? 0) + 1
      failures.set(key, count)
      const userId = userIn(body)
      return status === 401 && count % nth === 0 && userId !== undefined
        ? jsonAnswer({ token: await issueFreely(userId) })
        : jsonAnswer({ error: message }, status)
    },
  }
}

/** The userId of a rejected request stays behind, and is taken for that of the next one. */
function inheritingUser(): Mint {
  let left: unknown
  return {
    presentedKey({ headers, body }) {
      left ??= userIn(body)
      return bearerOf(headers.authorization)
    },
    fields({ body }) {
      const userId = left
      left = undefined
      return { ...JSON.parse(body ?? '{}'), userId }
    },
  }
}

/** So many rejections of anyone ban the user of the next request, for good. */
function banningNext(most: number): Mint {
  const banned = new Set<string>()
  let rejections = 0
  return {
    answer(usual, { method, body }) {
      if (method === 'GET') return usual
      if (usual.status >= 400) {
        rejections += 1
        return usual
      }
      const userId = userIn(body) ?? ''
      if (rejections >= most) banned.add(userId)
      if (rejections >= most) rejections = 0
      return banned.has(userId) ? jsonAnswer({ error: 'this user is banned' }, 403) : usual
    },
  }
}
