import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variant-answers.ts'
import { failuresInARow } from './recovers-from-stalled-mint.ts'

/** A request waits so long in a queue before the mint, whose calls are so far apart. */
const queuedMs = 400

const betweenCallsMs = 100

export const broken: BrokenVariants = {
  'answers 200 without a token while it does not call the mint': {
    backend: {
      ...breaker(60_000),
      answer: (usual) => (usual.status === 500 ? jsonAnswer(200, { retry: true }) : usual),
    },
    configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 3 } },
  },
  'runs out of connections for good': {
    backend: { mintDeadlineMs: Number.POSITIVE_INFINITY, ...pool(10) },
    configuration: { limits: { backendAnswerSeconds: 2 } },
    as: 'warn',
  },
  'shares a mint call that never ends': {
    backend: {
      mintDeadlineMs: Number.POSITIVE_INFINITY,
      tokenFor(_, { kept, mint }) {
        const shared = kept.get('all') ?? mint('everyone').finally(() => kept.delete('all'))
        kept.set('all', shared)
        return shared
      },
    },
    configuration: { limits: { backendAnswerSeconds: 2 } },
    as: 'warn',
  },
  'asks the mint again only after a while': {
    backend: breaker(40_000),
    configuration: { limits: { backendAnswerSeconds: 2 } },
    as: 'warn',
  },
  'never asks the mint again after failures': {
    backend: breaker(Number.POSITIVE_INFINITY),
    configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 3 } },
  },
  'never asks the mint again after failures, and has one call for all requests of a user': {
    backend: { tokenFor: sharedBehindBreaker(failuresInARow / 2) },
    configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 3 } },
  },
  'never asks the mint again after failures, but for requests in its queue': {
    backend: { mintDeadlineMs: queuedMs, tokenFor: queuedBehindBreaker() },
    configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 3 } },
  },
  'takes the user of a call that failed for the next one': {
    backend: { tokenFor: inheritingUser() },
    configuration: { limits: { backendAnswerSeconds: 2 } },
  },
  'loses a slot with every call that fails': {
    backend: leakingSlots(10),
    configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 3 } },
  },
}

/** So many mint calls at a time; the others wait. */
function pool(size: number) {
  let free = size
  const waiting: (() => void)[] = []
  return {
    async callMint<Call, Reply>(call: Call, usual: (call: Call) => Promise<Reply>): Promise<Reply> {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      else free -= 1
      try {
        return await usual(call)
      } finally {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
  }
}

/** The user of a call stays behind until the mint has answered it. */
function inheritingUser() {
  let left: string | null = null
  return async <Token>(
    userId: string,
    { mint }: { mint(userId: string): Promise<Token> },
  ): Promise<Token> => {
    const user = left ?? userId
    left = userId
    const token = await mint(user)
    left = null
    return token
  }
}

/** Slots that only a success gives back. */
function leakingSlots(size: number) {
  let free = size
  return {
    async callMint<Call, Reply>(call: Call, usual: (call: Call) => Promise<Reply>): Promise<Reply> {
      if (free === 0) throw new Error('no slot is free')
      free -= 1
      const reply = await usual(call)
      free += 1
      return reply
    },
  }
}

/** A circuit breaker that opens after ten failures. */
function breaker(openMs: number) {
  let failures = 0
  let openUntil = 0
  return {
    async callMint<Call, Reply>(call: Call, usual: (call: Call) => Promise<Reply>): Promise<Reply> {
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

/** Calls wait in a queue, in which they stay when their request has failed; after many failures nothing enters it. */
function queuedBehindBreaker() {
  const queues = new WeakMap<object, { last: Promise<unknown>; failures: number }>()
  return async <Token>(
    userId: string,
    { kept, mint }: { kept: Map<string, Promise<Token>>; mint(userId: string): Promise<Token> },
  ): Promise<Token> => {
    const queue = queues.get(kept) ?? { last: Promise.resolve(), failures: 0 }
    queues.set(kept, queue)
    if (queue.failures >= failuresInARow / 2) throw new Error('the mint is taken to be down')
    const call = queue.last.then(() => setTimeout(betweenCallsMs)).then(() => mint(userId))
    queue.last = call.catch(() => undefined)
    const tooLate = setTimeout(queuedMs).then(() => {
      throw new Error('the queue is too long')
    })
    return await Promise.race([call, tooLate]).catch((error: unknown) => {
      queue.failures += 1
      throw error
    })
  }
}

/** One call for all requests of a user, and none any more after so many failures. */
function sharedBehindBreaker(mostFailures: number) {
  const failures = new WeakMap<object, number>()
  return <Token>(
    userId: string,
    { kept, mint }: { kept: Map<string, Promise<Token>>; mint(userId: string): Promise<Token> },
  ): Promise<Token> => {
    const failed = failures.get(kept) ?? 0
    if (failed >= mostFailures) return Promise.reject(new Error('the mint is taken to be down'))
    const call =
      kept.get(userId) ??
      mint(userId)
        .catch((error: unknown) => {
          failures.set(kept, (failures.get(kept) ?? 0) + 1)
          throw error
        })
        .finally(() => kept.delete(userId))
    kept.set(userId, call)
    return call
  }
}
