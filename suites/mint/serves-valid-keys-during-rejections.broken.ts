import type { Catch } from '../../src/requirement/define.ts'
import { ofMint, rows } from '../lib/broken-rows.ts'
import { bearerOf, jsonAnswer } from './lib/variant-answers.ts'

/** Says whether rejected requests keep a lock, for which valid ones wait, and not a worker, without which all fail. */
const leaks = {
  'keeps the workers of rejected requests': false,
  'keeps what rejected requests had locked, which only valid ones wait for': true,
}

export const broken = {
  ...rows(leaks, (isLock) => ({
    ...leaking(20, isLock),
    configuration: { limits: { neverSeconds: 3, patienceSeconds: 2, requestSeconds: 8 } },
  })),
  ...ofMint({
    'accepts a key after ten rejections': acceptingEvery(11),
    'issues for the user of the rejected request': inheritingUser(),
    'bans another user for good after five rejections': banningNext(5),
  }),
}

type Mint = NonNullable<Catch['mint']>

function userIn(body: string | null): string | undefined {
  try {
    const named: unknown = JSON.parse(body ?? '')?.userId
    return typeof named === 'string' ? named : undefined
  } catch {
    return undefined
  }
}

/** Each rejected request keeps one of so many. */
function leaking(most: number, isLock: boolean): Catch {
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
        if (free >= 0 || (isRejected && isLock)) return usual
        return isLock
          ? new Promise<never>(() => undefined)
          : jsonAnswer({ error: 'there is no free worker' }, 503)
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

function banningNext(most: number): Mint {
  const banned = new Set<string>()
  let rejections = 0
  return {
    answer(usual, { method, body }) {
      if (method === 'GET') return usual
      const userId = userIn(body) ?? ''
      if (usual.status >= 400) rejections += 1
      else if (rejections >= most) {
        banned.add(userId)
        rejections = 0
      }
      return banned.has(userId) ? jsonAnswer({ error: 'this user is banned' }, 403) : usual
    },
  }
}
