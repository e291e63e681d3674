import { createServer, request } from 'node:http'
import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { listening } from '../base/http/testing/serve.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { documentedExample, sectionOf } from '../configuration/testing/documented.ts'
import { runCheck, sortByTurn } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'

// A limiter that locks its client out, in front of mint and backend. The pace of the page is five a second; here it is
// faster, so that the test is.
const perSecond = 25
/** Reached on a busy machine, too. */
const fewPerSecond = 5
const lockMs = 60_000
const ids = ['BACK-02', 'BACK-11', 'BACK-22', 'MINT-04', 'MINT-05', 'MINT-07', 'FLOW-03']
const catalogue = (await loadCatalogue()).filter(({ id }) => ids.includes(id))
const documented = sectionOf(await documentedExample('limits.md', 'limits.pace'), 'limits')
const limits: unknown = JSON.parse(
  JSON.stringify(documented).replaceAll('"perSecond":5', `"perSecond":${perSecond}`),
)

async function startLimiter(target: string, perSecond: number) {
  let begun: number[] = []
  let lockedUntil = 0
  let refused = 0
  const server = createServer((incoming, response) => {
    const now = performance.now()
    begun = [...begun.filter((at) => now - at < 1000), now]
    if (begun.length > perSecond) lockedUntil = now + lockMs
    if (now < lockedUntil) {
      refused += 1
      return void response.writeHead(429).end()
    }
    const { method, headers } = incoming
    const forwarded = request(new URL(incoming.url ?? '/', target), { method, headers }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  return Object.assign(await listening(server), { refused: () => refused })
}

async function judged(isPaced: boolean) {
  await using reference = await startReference()
  const { mint, backend } = reference
  const allowed = isPaced ? perSecond : fewPerSecond
  await using mintLimiter = await startLimiter(mint.url, allowed)
  await using backendLimiter = await startLimiter(backend.url, allowed)
  const { written } = reference
  const limited = {
    ...written,
    mint: { ...sectionOf(written, 'mint'), url: mintLimiter.url },
    backend: {
      ...sectionOf(written, 'backend'),
      url: backendLimiter.url + new URL(backend.tokenUrl).pathname,
    },
    limits: isPaced ? limits : { patienceSeconds: 0 },
  }
  const configuration = await resolveConfiguration(limited, { directory: '/', environment: {} })
  await using session = await openSession(configuration)
  const results = await Promise.all(sortByTurn(catalogue).map((check) => runCheck(check, session)))
  return {
    refused: mintLimiter.refused() + backendLimiter.refused(),
    verdicts: Object.fromEntries(
      results.map(({ id, verdict, reason }) => [id, `${verdict} ${reason ?? ''}`]),
    ),
  }
}

test.concurrent('parts that lock out a client that is too fast are judged to the end at their pace', async () => {
  const { refused, verdicts } = await judged(true)
  const { 'BACK-22': crowd, ...others } = verdicts
  expect(Object.values(others)).toEqual(Array(ids.length - 1).fill('pass '))
  expect(crowd).toBe(
    'untested limits.pace allows 2 requests at once to backend; needs 100 (limits.pace.backend.atOnce)',
  )
  expect(refused).toBe(0)
})

test.concurrent('without a pace they lock the suite out, which is no violation', async () => {
  const { refused, verdicts } = await judged(false)
  expect(refused).toBeGreaterThan(0)
  expect(Object.values(verdicts).join()).toContain('error')
  expect(Object.values(verdicts).filter((verdict) => verdict.startsWith('fail'))).toEqual([])
})
