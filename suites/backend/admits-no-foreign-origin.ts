import type { Reply } from '../../src/base/http/client.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import type { Configuration } from '../../src/configuration/configuration.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { cookiesNamed, sessionCookies } from './lib/bodies.ts'
import { isSilent, leaveUndecided } from './lib/describe-reply.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

export const origin = 'https://foreign.example'

/** The session under usual names; null where it cannot be a cookie, which is not quoted and not encoded. */
function guessCookies(session: string): string | null {
  if (!/^[\w!#$%&'()*+./:<=>?@[\]^`{|}~-]+$/.test(session)) return null
  return cookiesNamed(sessionCookies, session)
}

export default defineCheck({
  id: 'BACK-19',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'admits no foreign origin with credentials',
  why: 'A page of another site that is open in the same browser can otherwise request calling tokens as the signed-in user, and read them.',
  how: {
    does: [
      'Sends a preflight, a request, and one without a session with Origin: https://foreign.example, with null, with http://localhost.evil.test, and with origins that begin or end as that of the app does, where client.url or an Origin in backend.request tells it.',
      'Then sends `backend.sessions.alice.cookie`, or else the session as a cookie under usual names, without an Authorization header. Where that gets a token, sends a cross-site POST with the cookie (Origin and Sec-Fetch-Site of another site, content type text/plain).',
    ],
    warns: [
      'A response that allows this origin, or reflects it as "null", together with Access-Control-Allow-Credentials: true.',
      'A token for the cross-site POST.',
    ],
  },
  mints: 10,
  needs: ['backend'],
  async run(parts, judge) {
    const { backend } = parts
    const session = await backend.exactSession(backend.alice)
    await withShortLivedTokens(parts, async () => {
      await attack(judge, {
        control: () => backend.token(session),
        cases: [
          origin,
          'null',
          ...ownOrigins(parts.configuration).flatMap(nearMisses),
          'http://localhost.evil.test',
        ].map((from) => ({ name: `Origin: ${from}`, from })),
        together: false,
        of: 'for a request with',
        async send({ from }) {
          const fromPage = { headers: [['origin', from] as const] }
          const replies = [
            await backend.request(fromPage),
            await backend.request({ ...fromPage, session: null }),
            await backend.request({
              session: null,
              method: 'OPTIONS',
              fixed: 'none',
              headers: [
                ['origin', from],
                ['access-control-request-method', backend.method],
                ['access-control-request-headers', 'authorization'],
              ],
            }),
          ]
          const allowing = replies.filter((reply) => allowsCredentials(reply, from))
          return {
            isAllowed: allowing.length > 0,
            isUndecided: allowing.length === 0 && replies.some(isSilent),
            evidence: (allowing.length > 0 ? allowing : replies).map(({ exchange }) => exchange),
          }
        },
        breaches: {
          level: 'advisory',
          saw: ({ isAllowed }) => (isAllowed ? 'a response that allows the origin with credentials' : null),
          expected: "the app's own origins only",
          fix: "Compare the whole Origin with a list of the app's origins, and send no CORS headers for any other, not with errors either.",
        },
      })
      await judgeCookie()
    })

    async function judgeCookie(): Promise<void> {
      const value = backend.alice.cookie ?? guessCookies(session.token)
      if (value === null) return
      const cookie = ['cookie', value] as const
      const own = await backend.request({ session: null, headers: [cookie], followRedirects: true })
      if (leaveUndecided(judge, own, 'for a request with the session in a cookie')) return
      // A backend that serves everyone reads no session from a cookie.
      const servesAll = async () =>
        backend.tokenOf(await backend.request({ session: null, followRedirects: true })) !== null
      const isCarried = backend.tokenOf(own) !== null && !(await servesAll())
      judge.observe('backend.sessionInCookie', isCarried)
      if (!isCarried && backend.alice.cookie !== undefined)
        judge.untested(
          'backend.sessions.alice.cookie got no token without the bearer: replace it with a cookie that lives, or remove it',
        )
      if (!isCarried) return
      const foreign = await backend.request({
        session: null,
        method: 'POST',
        // Such a page sends cookies, and knows no CSRF token.
        fixed: 'cookies',
        headers: [
          cookie,
          ['origin', origin],
          ['sec-fetch-site', 'cross-site'],
          ['sec-fetch-mode', 'no-cors'],
        ],
        body: { text: '{}', contentType: 'text/plain' },
        followRedirects: true,
      })
      if (leaveUndecided(judge, foreign, 'for a cross-site POST')) return
      judge.advisory(backend.issuedBy(foreign) === null, {
        saw: 'a token for a cross-site POST with the session in a cookie',
        expected: 'a rejection of requests from other sites',
        fix: 'Read the session from the Authorization header only, or check Origin and set SameSite on the cookie.',
        evidence: [own.exchange, foreign.exchange],
      })
    }
  },
})

function ownOrigins({ backend, client }: Configuration): URL[] {
  const written = [headerOf(Object.entries(backend?.request?.headers ?? {}), 'origin'), client?.url]
  return written.flatMap((one) => (one !== undefined && URL.canParse(one) ? [new URL(one)] : []))
}

/** Origins that begin or end as this one does; an address without a name has none. */
function nearMisses({ protocol, hostname }: URL): string[] {
  if (!/[a-z]/i.test(hostname) || hostname.includes(':')) return []
  return [`${protocol}//${hostname}.evil.test`, `${protocol}//evil${hostname}`]
}

function allowsCredentials(reply: Reply, from: string): boolean {
  if (reply.kind === 'no-answer') return false
  const allowed = headerOf(reply.headers, 'access-control-allow-origin')
  return allowed === from && headerOf(reply.headers, 'access-control-allow-credentials') === 'true'
}
