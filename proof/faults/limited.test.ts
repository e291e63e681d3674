import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Answer, jsonAnswer } from '../../fixtures/answer.ts'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { openSession } from '../../src/requirement/session.ts'
import { judgeTogether, partsOf } from '../variants/testing/prove.ts'

/** Says whether one more request is served now; called for each. */
type Limiter = () => boolean

/** Says it once the request is over. */
type SlowLimiter = () => Promise<boolean>

/** So many in any second. */
function slidingWindow(most: number): Limiter {
  let times: number[] = []
  return () => {
    const now = performance.now()
    times = times.filter((at) => at + 1000 > now)
    if (times.length >= most) return false
    times.push(now)
    return true
  }
}

/** Twice as many at once as are refilled in a second. */
function tokenBucket(perSecond: number): Limiter {
  let [tokens, at] = [perSecond * 2, performance.now()]
  return () => {
    const now = performance.now()
    tokens = Math.min(perSecond * 2, tokens + ((now - at) * perSecond) / 1000)
    at = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

/** One request at a time: each takes a moment. */
function oneAtATime(): SlowLimiter {
  let isBusy = false
  return async () => {
    if (isBusy) return false
    isBusy = true
    await setTimeout(20)
    isBusy = false
    return true
  }
}

/** How nginx refuses what comes too soon: without `Retry-After`. */
const pageOfNginx: Answer = {
  status: 503,
  headers: { 'content-type': 'text/html' },
  body: '<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
}

/** The reference, one part of which limits its rate. */
const limited = {
  mint: (isServed: Limiter | SlowLimiter): Variant => ({
    mint: {
      // The published keys are read by GET.
      answer: async (usual, { method }) =>
        method === 'GET' || (await isServed())
          ? usual
          : jsonAnswer(429, { error: 'slow down' }, { 'retry-after': '1' }),
    },
  }),
  backend: (isServed: Limiter | SlowLimiter): Variant => ({
    backend: { answer: async (usual) => ((await isServed()) ? usual : pageOfNginx) },
  }),
  signaling: (isServed: Limiter, status: 429 | 503): Variant => ({
    signaling: { handshake: () => (isServed() ? 'upgrade' : status) },
  }),
} as const

// Services that limit the rate of their clients are judged to the end with nothing configured.

const catalogue = await loadCatalogue()

async function oddVerdicts(variant: Variant, isWanted: (id: string) => boolean) {
  const checks = catalogue.filter(({ id }) => isWanted(id))
  const results = await judgeTogether(checks, variant)
  const odd = results.filter(({ verdict }) => !['pass', 'info', 'not-applicable'].includes(verdict))
  return odd.map(({ id, verdict, reason }) => `${id} ${verdict} ${reason}`)
}

const signaling = (id: string) => id.startsWith('SIG-')
const backend = (id: string) => id.startsWith('BACK-')
/** A key that is rejected with 429 cannot be told from a limit by one answer. */
const mintWithoutStates = (id: string) => /^MINT-(?!1[567])/.test(id)
/** Those that need few requests: what is slow must not be long. */
const fewOfMint = (id: string) => /^MINT-0[1-5]$/.test(id)
const fewOfBackend = (id: string) => /^BACK-0[1-6]$/.test(id)

test.concurrent.each<[string, Variant, (id: string) => boolean]>([
  ['signaling that takes 40 dials a second', limited.signaling(slidingWindow(40), 429), signaling],
  ['signaling that refuses all beyond 40 with 503', limited.signaling(tokenBucket(40), 503), signaling],
  ['a mint with a bucket that 40 a second refill', limited.mint(tokenBucket(40)), mintWithoutStates],
  ['a mint that takes 10 a second', limited.mint(slidingWindow(10)), fewOfMint],
  ['a mint that takes 2 a second', limited.mint(slidingWindow(2)), (id) => id === 'MINT-05'],
  ['a backend that nginx limits to 40 a second', limited.backend(tokenBucket(40)), backend],
  ['a backend that serves one request at a time', limited.backend(oneAtATime()), fewOfBackend],
  ['a mint that serves one request at a time', limited.mint(oneAtATime()), fewOfMint],
])('%s', async (_, variant, isWanted) => {
  expect(await oddVerdicts(variant, isWanted)).toEqual([])
})

test.concurrent('a backend gets its token past the calls of the suite that wait for the mint', async () => {
  await using reference = await startReference({ variant: limited.mint(slidingWindow(10)) })
  const { configuration } = reference
  // However late a busy machine answers.
  const limits = { ...configuration.limits, requestSeconds: 600, backendAnswerSeconds: 600 }
  await using session = await openSession({ ...configuration, limits })
  const { mint, backend } = partsOf(session, ['mint', 'backend'])
  const others = Array.from({ length: 80 }, (_, place) => mint.token(`u-${place}`))
  // More wait than the mint serves in the time that the backend gives it.
  expect(await backend.token()).toMatchObject({ jwt: expect.any(String) })
  expect(await Promise.all(others)).toHaveLength(80)
})
