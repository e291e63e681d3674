import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { all, warning } from '../lib/broken-rows.ts'
import { shareCall } from './lib/variant-caches.ts'
import { type Backend, backends, jsonAnswer } from './lib/variants.ts'
import { failuresInARow } from './recovers-from-stalled-mint.ts'

type TokenFor = Backend['tokenFor']
type Minted = Awaited<ReturnType<TokenFor>>

/** So many requests may wait in a queue before the mint, whose calls are so far apart. */
const [longestQueue, betweenCallsMs] = [10, 100]
const waiting = (limits: object): Catch => ({ configuration: { limits } })

export const broken: BrokenVariants = {
  ...all(
    waiting({ backendAnswerSeconds: 1, neverSeconds: 3 }),
    backends({
      'answers 200 without a token while it does not call the mint': {
        ...breaker(60_000),
        answer: (usual) => (usual.status === 500 ? jsonAnswer(200, { retry: true }) : usual),
      },
      'never asks the mint again after failures': breaker(Number.POSITIVE_INFINITY),
      'never asks the mint again after failures, and has one call for all requests of a user': {
        tokenFor: sharedBehindBreaker(),
      },
      'never asks the mint again after failures, but for requests in its queue': {
        tokenFor: queuedBehindBreaker(),
      },
    }),
  ),
  ...all(
    waiting({ backendAnswerSeconds: 2 }),
    warning(
      backends({
        'runs out of connections for good': { mintDeadlineMs: Number.POSITIVE_INFINITY, ...pool(10) },
        'asks the mint again only after a while': breaker(40_000),
      }),
    ),
  ),
  'takes the user of a call that failed for the next one': {
    ...waiting({ backendAnswerSeconds: 2 }),
    backend: { tokenFor: inheritingUser() },
  },
}

function pool(size: number): Pick<Backend, 'callMint'> {
  let free = size
  const queue: (() => void)[] = []
  return {
    async callMint(call, usual) {
      if (free === 0) await new Promise<void>((resolve) => queue.push(resolve))
      else free -= 1
      try {
        return await usual(call)
      } finally {
        const next = queue.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
  }
}

function inheritingUser(): TokenFor {
  let left: string | null = null
  return async (userId, { mint }) => {
    const user = left ?? userId
    left = userId
    const token = await mint(user)
    left = null
    return token
  }
}

function breaker(openMs: number): Pick<Backend, 'callMint'> {
  let failures = 0
  let openUntil = 0
  return {
    async callMint(call, usual) {
      if (Date.now() < openUntil) throw new Error('the mint is taken to be down')
      try {
        return await usual(call)
      } catch (failure) {
        failures += 1
        if (failures % 10 === 0) openUntil = Date.now() + openMs
        throw failure
      }
    },
  }
}

/** Counts what fails, and calls no more after so many failures as open a breaker. */
function behindBreaker(call: (userId: string, steps: Parameters<TokenFor>[1]) => Promise<Minted>): TokenFor {
  const failures = new WeakMap<object, number>()
  return async (userId, steps) => {
    const failed = failures.get(steps.kept) ?? 0
    if (failed >= failuresInARow / 2) throw new Error('the mint is taken to be down')
    return await call(userId, steps).catch((error: unknown) => {
      failures.set(steps.kept, (failures.get(steps.kept) ?? 0) + 1)
      throw error
    })
  }
}

/** All who wait in a queue fail when it is too long, and their calls stay in it; after many failures nothing enters it. */
function queuedBehindBreaker(): TokenFor {
  const newQueue = () => ({
    length: 0,
    last: Promise.resolve<unknown>(0),
    full: Promise.withResolvers<never>(),
  })
  const queues = new WeakMap<object, ReturnType<typeof newQueue>>()
  return behindBreaker(async (userId, { kept, mint }) => {
    const queue = queues.get(kept) ?? newQueue()
    queues.set(kept, queue)
    const isFull = queue.full.promise
    const call = queue.last
      .then(() => setTimeout(betweenCallsMs))
      .then(() => Promise.race([mint(userId), isFull]))
    queue.last = call.catch(() => undefined)
    queue.length += 1
    if (queue.length > longestQueue) queue.full.reject(new Error('the queue is too long'))
    try {
      return await Promise.race([call, isFull])
    } finally {
      queue.length -= 1
    }
  })
}

function sharedBehindBreaker(): TokenFor {
  const call = behindBreaker((userId, { mint }) => mint(userId))
  return (userId, steps) => shareCall(steps.kept, userId, () => call(userId, steps))
}
