import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import { tokensIn } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Journey } from '../../src/roles/client/journey.ts'
import type { BackendCall } from '../../src/roles/client/types.ts'

export default defineCheck({
  id: 'CLI-01',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.3', '5.3'],
  basis: 'The client authenticates to its backend with the sessionToken as bearer (5.3).',
  title: 'sends the sessionToken to its backend as a bearer token',
  why: "The customer's auth reads the Authorization header, which logs and caches leave out.",
  how: {
    does: [
      'A user signs in and connects.',
      'Expects Authorization: Bearer with the sessionToken on the call of the token route, and the sessionToken nowhere else in that request (URL, body or another header; a cookie that the login has set is ignored).',
      'A session that an own host has issued since counts, too.',
      'Where the driver does not return the session, the bearer may be neither a server key nor a calling JWT.',
    ],
    fails: ['A missing or different bearer, or the session elsewhere.'],
  },
  needs: ['journey'],
  async run({ journey }, judge) {
    const seen = await journey()
    const { calls, notAsked } = seen
    if (calls.length === 0 && notAsked !== null) throw notAsked
    const { sessionToken } = seen.user
    const handedOut = readHandedOut(seen)
    for (const call of calls) {
      const evidence = [call.exchange]
      const { bearer } = call
      const isRenewed = mayBeSession(bearer) && handedOut.some((text) => text.includes(bearer))
      const isSession = sessionToken === null ? mayBeSession(bearer) : bearer === sessionToken || isRenewed
      judge.must(isSession, {
        saw: `${describeBearer(bearer)} in the call of the token route`,
        expected: 'Authorization: Bearer <sessionToken> (5.3)',
        fix: 'Send the sessionToken in the Authorization header.',
        evidence,
      })
      const session = isSession ? bearer : (sessionToken ?? bearer)
      if (session === null) continue
      const encoding = findSecret(besidesTheBearer(call), session)
      judge.must(encoding === null, {
        saw: `the sessionToken in the URL, the body or another header of the call (${encoding})`,
        expected: 'the sessionToken in the Authorization header only (5.3)',
        fix: 'Send the sessionToken in the Authorization header and nowhere else.',
        evidence,
      })
    }
    judge.observe('client.tokenRouteMethod', calls[0]?.method)
  },
})

/** The answers of the customer's hosts, without pages and scripts: sessions may be renewed at any moment. */
function readHandedOut({ issued, captured }: Journey): string[] {
  return captured
    .filter(({ place, name }) => place === 'page or script' && isNamedJson(name))
    .map(({ text }) => text)
    .filter((text) => !issued.some(({ jwt }) => text.includes(jwt)))
}

/** A name ends with the media type of an answer. The address before it is of any length. */
function isNamedJson(name: string): boolean {
  return name.endsWith(')') && name.slice(name.lastIndexOf('(')).includes('json')
}

function mayBeSession(bearer: string | null): bearer is string {
  return bearer !== null && !bearer.startsWith('ac_live_')
}

function describeBearer(bearer: string | null): string {
  if (bearer === null) return 'no bearer'
  if (bearer.startsWith('ac_live_')) return 'a server key as the bearer'
  return tokensIn(bearer).length > 0 ? 'another JWT as the bearer' : 'a bearer other than the session'
}

function besidesTheBearer({ url, headers, body }: BackendCall): string {
  const others = headers.filter(([name]) => name !== 'authorization' && name !== 'cookie')
  return [url, ...others.flat(), body].join('\n')
}
