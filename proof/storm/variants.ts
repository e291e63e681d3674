import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { MintFailure } from '../../fixtures/backend/mint-client.ts'
import { jsonAnswer, SessionRefused } from '../../fixtures/backend/policy.ts'
import { jsonAnswer as mintAnswer, referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import type { Variant } from '../../src/requirement/define.ts'
import type { Profile } from '../../src/storm/profiles.ts'
import type { LoadId } from '../../src/storm/requirements.ts'
import { storeUserInVariable } from '../../suites/backend/lib/variant-sharing.ts'
import { cacheTokens } from '../../suites/mint/lib/variant-cache.ts'

interface LoadVariant {
  readonly variant: () => Variant
  readonly profile?: Profile
}

interface BrokenVariant extends LoadVariant {
  readonly breaks: LoadId
}

/** So many at once are load for these services. */
const busyFrom = 3
/** Long enough for work to pile up where a busy machine sends it slowly. */
const workMs = 200

/** So many in all are load, too; before the load there are a handful. */
const fullFrom = 20

/** Counts what is under way, and what has come in all; only load brings them above `busyFrom` and `fullFrom`. */
function createGauge() {
  let underWay = 0
  let all = 0
  return {
    isBusy: () => underWay > busyFrom,
    /** A busy machine sends little at once, but the same in all. */
    isFull: () => all > fullFrom,
    async through<T>(run: () => T | Promise<T>): Promise<T> {
      underWay += 1
      all += 1
      try {
        await setTimeout(workMs)
        return await run()
      } finally {
        underWay -= 1
      }
    },
  }
}

/** Services that conform alone, and break under load. */
export const brokenVariants: Readonly<Record<string, BrokenVariant>> = {
  'keeps the user in a variable that requests share': {
    breaks: 'LOAD-01',
    variant: () => ({ backend: storeUserInVariable() }),
  },
  'keys its tokens by the beginning of a hash': {
    breaks: 'LOAD-01',
    variant: () => ({
      mint: cacheTokens(({ userId, lifetimeSeconds }) => {
        const hash = createHash('sha256').update(userId).digest('hex').slice(0, 1)
        return `${hash} ${lifetimeSeconds}`
      }),
    }),
  },
  "answers 200 with the last user's token instead of 429": {
    breaks: 'LOAD-01',
    variant() {
      const gauge = createGauge()
      return {
        backend: {
          tokenFor: (userId, { mint, kept }) =>
            gauge.through(async () => {
              const last = kept.get('last')
              if (gauge.isFull() && last !== undefined) return await last
              const minted = await mint(userId)
              kept.set('last', Promise.resolve(minted))
              return minted
            }),
        },
      }
    },
  },
  'looks at no session once its queue was full': {
    breaks: 'LOAD-02',
    variant() {
      const gauge = createGauge()
      return {
        backend: {
          callingToken: (_, { authenticate, userId, mint }) =>
            gauge.through(async () => {
              const session = await authenticate().catch((error: unknown) => {
                if (error instanceof SessionRefused && gauge.isFull()) return null
                throw error
              })
              return await mint(session === null ? 'anyone' : userId(session))
            }),
        },
      }
    },
  },
  'looks at no expiry once its queue was full': {
    breaks: 'LOAD-03',
    variant() {
      const gauge = createGauge()
      return {
        signaling: {
          pause: () => gauge.through(() => undefined),
          expiryOf: ({ exp }) => (gauge.isFull() ? null : typeof exp === 'number' ? exp : undefined),
        },
      }
    },
  },
  'verifies no signature once its queue was full': {
    breaks: 'LOAD-03',
    variant() {
      const gauge = createGauge()
      return {
        signaling: {
          pause: () => gauge.through(() => undefined),
          signatureHolds: (_, __, usual) => gauge.isFull() || usual(),
        },
      }
    },
  },
  'has a clock that drifts with every token': {
    breaks: 'LOAD-04',
    variant() {
      let tokens = 0
      return {
        mint: {
          now: () => Date.now() - tokens * 5000,
          token(...given) {
            tokens += 1
            return referenceMintPolicy.token(...given)
          },
        },
      }
    },
  },
  'answers 200 without a token once its queue was full': {
    breaks: 'LOAD-05',
    variant() {
      const gauge = createGauge()
      return {
        backend: {
          answer: (usual) =>
            gauge.through(() => (gauge.isFull() ? jsonAnswer(200, { queued: true }) : usual)),
        },
      }
    },
  },
  'counts its cap after it has issued': {
    breaks: 'LOAD-05',
    profile: 'cap',
    variant() {
      const gauge = createGauge()
      return {
        mint: {
          admit: (project) => (gauge.isFull() ? undefined : referenceMintPolicy.admit(project)),
          answer: (answer) => gauge.through(() => answer),
        },
      }
    },
  },
  'opens a breaker under load, and never closes it': {
    breaks: 'LOAD-06',
    variant() {
      const gauge = createGauge()
      let isOpen = false
      return {
        backend: {
          answer: (usual) =>
            gauge.through(() => {
              isOpen ||= gauge.isFull()
              return isOpen ? jsonAnswer(503, { error: 'busy' }) : usual
            }),
        },
      }
    },
  },
}

/** Services that conform, and say in different ways that the load is too much. */
export const conformingVariants: Readonly<Record<string, LoadVariant>> = {
  'the reference': { variant: () => ({}) },
  'the reference, while all tokens expire at once': { profile: 'expiry', variant: () => ({}) },
  'the reference, while signaling restarts': { profile: 'restart', variant: () => ({}) },
  'the reference at its cap': { profile: 'cap', variant: () => ({}) },
  'a backend that answers 429 with Retry-After': {
    variant() {
      const gauge = createGauge()
      return {
        backend: {
          answer: (usual) =>
            gauge.through(() =>
              gauge.isBusy() ? jsonAnswer(429, { error: 'slow down' }, { 'retry-after': '1' }) : usual,
            ),
        },
      }
    },
  },
  'a mint that answers 429': {
    variant() {
      const gauge = createGauge()
      return {
        mint: {
          answer: (usual) =>
            gauge.through(() => (gauge.isBusy() ? mintAnswer(429, {}, { 'retry-after': '1' }) : usual)),
        },
      }
    },
  },
  'a mint with a clock that is five minutes slow': {
    variant: () => ({
      mint: { now: () => Date.now() - 300_000 },
      signaling: { now: () => Date.now() / 1000 - 300 },
    }),
  },
  'a backend that fails for a while, since its mint does': {
    variant() {
      const gauge = createGauge()
      return {
        backend: {
          callMint: (call, usual) =>
            gauge.through(() => {
              if (gauge.isBusy()) throw new MintFailure('the mint did not answer')
              return usual(call)
            }),
        },
      }
    },
  },
  'signaling that sheds connections with 503': {
    variant() {
      const gauge = createGauge()
      return {
        signaling: {
          handshake: () => (gauge.isBusy() ? 503 : 'upgrade'),
          pause: () => gauge.through(() => undefined),
        },
      }
    },
  },
  'slow parts': {
    variant: () => ({
      mint: { answer: (usual) => setTimeout(300, usual) },
      backend: { answer: (usual) => setTimeout(300, usual) },
      signaling: { pause: () => setTimeout(300) },
    }),
  },
}
