import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { DoubleCall } from '../../src/roles/mint/double.ts'
import { answeredFromCache, askPastCache, askWhenClosed } from './lib/ask-past-cache.ts'
import { describeReply } from './lib/describe-reply.ts'
import { findSoleParts } from './lib/find-sole-parts.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

/** A shorter session may appear in a request by chance. */
const shortestSession = 8

export default defineCheck({
  id: 'BACK-13',
  role: 'backend',
  level: 'MUST',
  kind: 'positive',
  clauses: ['5.1'],
  basis: "The sessionToken goes to the customer's API only (5.1).",
  title: 'never forwards the sessionToken to the mint',
  why: "The session opens the customer's whole product; the mint is a third party with logs of its own.",
  how: {
    does: [
      "Each user requests a token, and requests again while the suite's mint double fails.",
      'Sends `cookie` of the user along, where `backend.sessions` has it: the same login, which a backend that forwards headers passes to the mint.',
      'Searches every mint call (path, query, headers, body) for the session and that cookie in plain text, percent-encoded, hexadecimal and base64.',
    ],
    fails: [
      'A match.',
      'A part of 12 characters or more, between . : | _ or %2E, that opens the route alone.',
    ],
    untested: ['A request that met no response.'],
  },
  mints: 3,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble, available } = parts
    const users = [backend.alice, available('aliceSecondDevice'), available('bob')]
    await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      for (const user of users) {
        if (user === undefined) continue
        const session = await backend.exactSession(user)
        if (session.length < shortestSession || user.userId.includes(session)) {
          judge.untested(
            "a session that is very short, or part of the user's id, cannot be recognised in a mint call",
          )
          continue
        }
        const change = {
          session,
          ...(user.cookie === undefined ? {} : { headers: [['cookie', user.cookie] as const] }),
        }
        const cookies = cookieValues(user.cookie).filter((value) => value !== session)
        for (const isFailing of [true, false]) {
          const probed = double.probes().length
          if (isFailing) double.answer(() => ({ status: 500, body: '{"error":"internal"}' }))
          const { reply, calls } = await (isFailing
            ? askPastCache(parts, double, change)
            : askWhenClosed(parts, double, change, user))
          double.answer(null)
          const seen = [...calls, ...double.probes().slice(probed)]
          const texts = seen.flatMap(({ target, headers, body }) => [
            target,
            ...headers.map(([name, value]) => `${name}: ${value}`),
            body,
          ])
          const soleParts = await findSoleParts(backend, { session, userId: user.userId, texts })
          for (const call of seen) {
            for (const secret of [session, ...soleParts]) judgeCall(call, secret, 'sessionToken')
            for (const value of cookies) judgeCall(call, value, 'cookie of the login')
          }
          if (calls.length > 0) continue
          if (backend.tokenOf(reply) !== null) judge.untested(answeredFromCache)
          else if (isFailing) leaveUndecided(judge, reply, 'and no mint call while the mint fails')
          else
            throw new ControlLost(`no mint call arrived: the backend ${describeReply(reply)}`, [
              reply.exchange,
            ])
        }
      }
    })

    function judgeCall({ target, headers, body, exchange }: DoubleCall, secret: string, what: string): void {
      const texts = [
        ['address', target],
        ...headers.map(([name, value]) => [`header ${name.toLowerCase()}`, `${name}: ${value}`] as const),
        ['body', body],
      ] as const
      for (const [place, text] of texts) {
        const encoding = findSecret(text, secret)
        judge.must(encoding === null, {
          case: `the ${place}`,
          saw: `the ${what} in the ${place} of a mint call${encoding === null || encoding === 'plain' ? '' : ` (${encoding})`}`,
          expected: `the ${what} at the customer's API only (5.1)`,
          fix: 'Build the mint request from scratch and forward no headers.',
          evidence: [exchange],
        })
      }
    }
  },
})

/** The values that are long enough to be recognised. */
function cookieValues(cookie = ''): string[] {
  return cookie
    .split('; ')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
    .filter((value) => value.length >= shortestSession)
}
