import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { createJudge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import { runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { limited, oneAtATime, slidingWindow, tokenBucket } from './testing/limited.ts'

// Services that limit the rate of their clients are judged to the end with nothing configured.

const catalogue = await loadCatalogue()

async function oddVerdicts(variant: Variant, isWanted: (id: string) => boolean) {
  await using reference = await startReference({ variant })
  await using session = await openSession(reference.configuration)
  const checks = sortByTurn(catalogue.filter(({ id }) => isWanted(id)))
  const results = await Promise.all(checks.map((check) => runCheck(check, session)))
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
  await using session = await openSession(reference.configuration)
  const parts = session.contextFor({ id: 'TEST', needs: ['mint', 'backend'] }, createJudge('INFO'))
  if ('missing' in parts) throw new Error('the reference has both')
  const { mint, backend } = parts as CheckContext<'mint' | 'backend'>
  const others = Array.from({ length: 80 }, (_, place) => mint.token(`u-${place}`))
  // More wait than the mint serves in the time that the backend gives it.
  expect(await backend.token()).toMatchObject({ jwt: expect.any(String) })
  expect(await Promise.all(others)).toHaveLength(80)
})
