import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import { inBatches, judgeCases, listNames } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { answeredFromCache, askPastCache, askWhenClosed } from './lib/ask-past-cache.ts'
import { isSilent } from './lib/describe-reply.ts'
import { findSoleParts } from './lib/find-sole-parts.ts'
import { scriptShortLived } from './lib/with-short-lived-tokens.ts'

/** A shorter session may appear in a request by chance. */
const shortestSession = 8

export default defineCheck({
  id: 'BACK-13',
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
  },
  mints: 3,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble, available } = parts
    const users = [
      ['alice', backend.alice],
      ['alice on a second device', available('aliceSecondDevice')],
      ['bob', available('bob')],
    ] as const
    const cases = users.flatMap(([who, user]) =>
      user === undefined
        ? []
        : [
            { name: `${who} while the mint fails`, user, isFailing: true },
            { name: who, user, isFailing: false },
          ],
    )
    await scriptShortLived(mintDouble, async (double) => {
      const tried = await inBatches(cases, 1, async (one) => {
        const { user, isFailing } = one
        const { token: session } = await backend.exactSession(user)
        const isKnown = session.length >= shortestSession && !user.userId.includes(session)
        const headers = user.cookie === undefined ? [] : [['cookie', user.cookie] as const]
        const probed = double.probes().length
        if (isFailing) double.answer(() => ({ status: 500, body: '{"error":"internal"}' }))
        const ask = () => askPastCache(parts, double, { session, headers })
        const { reply, calls } = await (isFailing ? ask() : askWhenClosed(parts, ask, user))
        double.answer(null)
        const seen = [...calls, ...double.probes().slice(probed)]
        const texts = seen.flatMap(({ target, headers, body }) => [
          ['address', target] as const,
          ...headers.map(([name, value]) => [`header ${name.toLowerCase()}`, `${name}: ${value}`] as const),
          ['body', body] as const,
        ])
        const soleParts = await findSoleParts(backend, {
          session,
          userId: user.userId,
          texts: texts.map(([, text]) => text),
        })
        const placesOf = (secrets: readonly string[]) =>
          texts.flatMap(([place, text]) => {
            const encoding = secrets.map((secret) => findSecret(text, secret)).find((one) => one !== null)
            return encoding === undefined ? [] : [encoding === 'plain' ? place : `${place} (${encoding})`]
          })
        const ofSession = isKnown ? placesOf([session, ...soleParts]) : []
        const ofCookie = placesOf(cookieValues(user.cookie).filter((value) => value !== session))
        const unknown =
          "a session that is very short, or part of the user's id, cannot be recognised in a mint call"
        const isFound = ofSession.length + ofCookie.length > 0
        const isCalled = calls.length > 0
        const hasFailed = backend.tokenOf(reply) === null
        const met = {
          ofSession,
          ofCookie,
          // Behind a failure, a circuit breaker may be open.
          isUndecided: !isFound && !isCalled && hasFailed && (isSilent(reply) || !isFailing),
          unseen: isFound ? null : !isKnown ? unknown : isCalled || hasFailed ? null : answeredFromCache,
          evidence: (isCalled ? seen : [reply]).map(({ exchange }) => exchange),
        }
        return { one, seen: met }
      })
      judgeCases(judge, 'for a request of', tried, [
        {
          level: 'must',
          saw: ({ ofSession }) => sawIn('sessionToken', ofSession),
          expected: "the sessionToken at the customer's API only (5.1)",
          fix,
        },
        {
          level: 'must',
          saw: ({ ofCookie }) => sawIn('cookie of the login', ofCookie),
          expected: "the cookie of the login at the customer's API only (5.1)",
          fix,
        },
      ])
    })
  },
})

const fix = 'Build the mint request from scratch and forward no headers.'

function sawIn(what: string, places: readonly string[]): string | null {
  return places.length === 0 ? null : `the ${what} in the ${listNames(places)} of a mint call`
}

/** The values that are long enough to be recognised. */
function cookieValues(cookie = ''): string[] {
  return cookie
    .split('; ')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
    .filter((value) => value.length >= shortestSession)
}
