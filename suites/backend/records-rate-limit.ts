import type { Reply } from '../../src/base/http/client.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { DoubleAnswer, DoubleCall } from '../../src/roles/mint/double.ts'

const requests = 60
const minuteMs = 60_000
/** The repeated token is valid as long as the requests take, whatever lifetime the backend asks for. */
const lifetimeSeconds = 900

const notAsked = `${requests} requests of one session within a minute may lock its account: write backend.recordRateLimit: true to have them sent`

type Parts = CheckContext<'backend'>

export default defineCheck({
  id: 'BACK-28',
  level: 'INFO',
  kind: 'positive',
  clauses: [],
  standards: ['OWASP ASVS 5.0, 2.4.1'],
  title: 'records how many tokens one session gets a minute',
  why: 'A stolen session, or an app that fetches in a loop, uses up the mints of the project as fast as the backend lets it.',
  how: {
    does: [
      'Where backend.recordRateLimit is true, alice requests a token up to 60 times, one request after the other, until one gets none or a minute is over.',
      "The suite's mint double repeats its first answer, so that they cost one calling token.",
      'Records the status and the number of the first request without a token, the mint calls, and when alice is served again.',
    ],
    untested: ['A backend that is not pointed at the mint double, where the requests are asked for.'],
  },
  mints: 3,
  needs: ['backend'],
  stage: 'banning',
  async run(parts, judge) {
    const { backend, clock, configuration, optional } = parts
    if (configuration.backend?.recordRateLimit !== true) return judge.notApplicable(notAsked)
    const mintDouble = optional('mintDouble')
    if (mintDouble === undefined) return
    const { sent, mintCalls } = await mintDouble.scripted(async (double) => {
      double.lifetime(lifetimeSeconds)
      // Before the mint is scripted, so that an open circuit breaker is waited out.
      await backend.token()
      // Every call for a user whom the double has answered gets that answer again.
      const answers = new Map<DoubleCall['userId'], DoubleAnswer>()
      double.answer(async ({ userId }, ordinary) => {
        const answer = answers.get(userId) ?? (await ordinary())
        if (userId !== null && answer.status >= 200 && answer.status <= 299) answers.set(userId, answer)
        return answer
      })
      const before = double.calls().length
      return { sent: await sendForAMinute(parts), mintCalls: double.calls().length - before }
    })
    const served = sent.refused === null ? sent.count : sent.refused.number - 1
    judge.observe('backend.rateLimitOfASession', describeLimit(sent))
    judge.observe('backend.mintCallsOfASession', `${mintCalls} for ${served} tokens`)
    if (sent.refused === null) return
    const since = clock.monotonic()
    const isServedAgain = await backend.token().then(
      () => true,
      (error: unknown) => {
        if (error instanceof ControlLost) return false
        throw error
      },
    )
    const seconds = ((clock.monotonic() - since) / 1000).toFixed(1)
    judge.observe(
      'backend.servedAgainAfterRateLimit',
      `${isServedAgain ? 'after' : 'not within'} ${seconds} s`,
    )
  },
})

async function sendForAMinute({ backend, clock }: Parts) {
  const begun = clock.monotonic()
  let refused: { readonly reply: Reply; readonly number: number } | null = null
  let count = 0
  while (refused === null && count < requests && clock.monotonic() < begun + minuteMs) {
    count += 1
    const name = `request ${count} of ${requests} within a minute`
    const reply = await backend.request({ isUnpaced: true, followRedirects: true, case: name })
    if (backend.tokenOf(reply) === null) refused = { reply, number: count }
  }
  return { count, seconds: (clock.monotonic() - begun) / 1000, refused }
}

function describeLimit({ count, seconds, refused }: Awaited<ReturnType<typeof sendForAMinute>>): string {
  const within = `within ${seconds.toFixed(1)} s`
  if (refused === null) return `none: ${count} requests got a token ${within}`
  const { reply, number } = refused
  if (reply.kind === 'no-answer') return `no response to request ${number} ${within}`
  const retryAfter = headerOf(reply.headers, 'retry-after')
  const told = retryAfter === undefined ? '' : `, Retry-After: ${retryAfter}`
  return `status ${reply.status} for request ${number} ${within}${told}`
}
