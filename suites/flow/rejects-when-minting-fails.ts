import { defineCheck } from '../../src/requirement/define.ts'
import { askWhile, explainNoCall } from '../backend/lib/ask-past-cache.ts'
import { isSuccess, leaveUndecided, showReply } from '../backend/lib/describe-reply.ts'
import { watchQuiet } from '../backend/lib/watch-quiet.ts'
import { scriptShortLived } from '../backend/lib/with-short-lived-tokens.ts'

/** One try and two retries: more of them amplify a rate limit. */
const mostTries = 3

export default defineCheck({
  id: 'FLOW-06',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['7', '4.2', '4.2.4'],
  basis: 'A failed mint call becomes an error of the backend, and getAuthToken then fails (4.2, 4.2.4).',
  title: 'rejects getAuthToken when minting fails',
  why: 'A failure that reaches the app as a success puts an undefined token on the socket, and a backend that keeps retrying makes a rate limit worse.',
  how: {
    does: [
      "The suite's mint double answers the backend with 402, 403 and 429.",
      'Expects a non-2xx response without a token, on which getAuthToken rejects.',
      'The number of mint requests is recorded.',
    ],
    fails: ['A 2xx status or a token.'],
    warns: [
      'More than three for one request of the app, unless the backend calls the mint by itself all the time.',
    ],
    untested: ['A request without a response: BACK-07 judges silence.'],
  },
  mints: 2,
  needs: ['backend', 'mintDouble'],
  drives: ['backend'],
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    await scriptShortLived(mintDouble, async (double) => {
      await judge.sandwich(backend.token, async () => {
        for (const status of [402, 403, 429]) {
          const body = JSON.stringify({ error: { code: 'refused' } })
          const headers: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {}
          const { reply, calls } = await askWhile(parts, double, () => ({ status, body, headers }))
          const tries = calls.length
          if (tries === 0) {
            judge.untested(explainNoCall(backend, reply))
            continue
          }
          if (leaveUndecided(judge, reply, `when the mint answered ${status} (BACK-07)`)) continue
          judge.observe(`tries.${status}`, tries)
          const hasToken = backend.issuedBy(reply) !== null
          judge.must(!isSuccess(reply) && !hasToken, {
            case: `status ${status} of the mint`,
            saw: `${showReply(reply)} ${hasToken ? 'and a calling token' : 'without a token'} when the mint answered ${status}`,
            expected: 'a non-2xx status and no token (4.2.4)',
            fix: 'Answer 502 with { "error": "…" } when the mint call fails.',
            evidence: [reply.exchange],
          })
          // A backend that calls the mint by itself does so during a request as well.
          const callsByItself = tries > mostTries && (await watchQuiet(double, parts.clock)).size > 0
          judge.advisory(tries <= mostTries || callsByItself, {
            case: `status ${status} of the mint`,
            saw: `${tries} mint requests for one request of the app when the mint answered ${status}`,
            expected: `at most ${mostTries}`,
            fix: 'Do not retry a rejected mint request.',
            evidence: [reply.exchange],
          })
        }
      })
    })
  },
})
