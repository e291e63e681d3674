import type { Reply } from '../../src/base/http/client.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { mustGetToken } from './offer-request.ts'
import { withShortLivedTokens } from './with-short-lived-tokens.ts'

const origin = 'https://foreign.example'
const cookieNames = [
  'session',
  'sessionToken',
  'session_token',
  'sessionid',
  'sid',
  'connect.sid',
  'token',
  'access_token',
  'auth',
  'jwt',
]

export default defineCheck({
  id: 'BACK-19',
  role: 'backend',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'admits no foreign origin with credentials',
  why: 'A page of another site that is open in the same browser can otherwise request calling tokens as the signed-in user, and read them.',
  how: 'Sends a preflight and a request with Origin: https://foreign.example. A response that allows this origin, or reflects it as "null", together with Access-Control-Allow-Credentials: true warns. Then sends the session as a cookie under usual names, without an Authorization header: where that gets a token, a cross-site POST (Origin and Sec-Fetch-Site of another site, content type text/plain) with the cookie must not; a token warns.',
  mints: 4,
  needs: ['backend'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend } = parts
    const session = await backend.exactSession(backend.alice)
    await withShortLivedTokens(parts, async () => {
      await mustGetToken(backend, { session }, "alice's session")
      await judgeOrigins()
      await judgeCookie()
    })

    async function judgeOrigins(): Promise<void> {
      const preflight = [
        ['access-control-request-method', backend.method],
        ['access-control-request-headers', 'authorization'],
      ] as const
      for (const from of [origin, 'null']) {
        const replies = [
          await backend.request({ headers: [['origin', from]] }),
          await backend.request({
            session: null,
            method: 'OPTIONS',
            fixed: 'none',
            headers: [['origin', from], ...preflight],
          }),
        ]
        const allowing = replies.filter((reply) => allowsCredentials(reply, from))
        judge.advisory(allowing.length === 0, {
          saw: `a response that allows the origin ${from} with credentials`,
          expected: "the app's own origins only",
          fix: "Compare Origin with a list of the app's origins, and send no CORS headers for any other.",
          evidence: allowing.map(({ exchange }) => exchange),
        })
      }
    }

    async function judgeCookie(): Promise<void> {
      // A legal cookie is not quoted and not encoded.
      if (!/^[\w!#$%&'()*+./:<=>?@[\]^`{|}~-]+$/.test(session)) return
      const cookie = ['cookie', cookieNames.map((name) => `${name}=${session}`).join('; ')] as const
      const own = await backend.request({ session: null, headers: [cookie], followRedirects: true })
      const isCarried = backend.tokenOf(own) !== null
      judge.observe('backend.sessionInCookie', isCarried)
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
      judge.advisory(backend.issuedBy(foreign) === null, {
        saw: 'a token for a cross-site POST with the session in a cookie',
        expected: 'a rejection of requests from other sites',
        fix: 'Read the session from the Authorization header only, or check Origin and set SameSite on the cookie.',
        evidence: [own.exchange, foreign.exchange],
      })
    }
  },
  catches: {
    'reflects the origin with credentials': {
      backend: {
        answer: (usual, { headers }) => ({
          ...usual,
          headers: { ...usual.headers, ...credentialsFor(headers['origin']) },
        }),
      },
      as: 'warn',
    },
    'reflects the origin by preflight only': {
      backend: {
        answer: (usual, { method, headers }) =>
          method === 'OPTIONS'
            ? { status: 204, headers: credentialsFor(headers['origin']), body: '' }
            : usual,
      },
      as: 'warn',
    },
    'allows the origin null with credentials': {
      backend: {
        answer: (usual) => ({ ...usual, headers: { ...usual.headers, ...credentialsFor('null') } }),
      },
      as: 'warn',
    },
    'takes the session from a cookie': {
      backend: { presentedSession: ({ headers }) => bearerOf(headers) ?? cookieOf(headers) },
      as: 'warn',
    },
  },
})

function allowsCredentials(reply: Reply, from: string): boolean {
  if (reply.kind === 'no-answer') return false
  const allowed = headerOf(reply.headers, 'access-control-allow-origin')
  return allowed === from && headerOf(reply.headers, 'access-control-allow-credentials') === 'true'
}

function credentialsFor(origin: string | undefined): Readonly<Record<string, string>> {
  return origin === undefined
    ? {}
    : { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' }
}

type Headers = Readonly<Record<string, string | undefined>>

function bearerOf(headers: Headers): string | null {
  return /^bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? null
}

function cookieOf(headers: Headers): string | null {
  return /(?:^|; )session=([^;]+)/.exec(headers['cookie'] ?? '')?.[1] ?? null
}
