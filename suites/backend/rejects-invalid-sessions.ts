import type { Reply } from '../../src/base/http/client.ts'
import { isRecord, readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import { createInvalidSessions, type InvalidSession } from './invalid-sessions.ts'
import { jsonAnswer } from './variant-answers.ts'
import { withShortLivedTokens } from './with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-02',
  role: 'backend',
  level: 'MUST',
  clauses: ['4.2.1'],
  title: 'gives no token to a request without a session that holds',
  why: "The session is all that ties a calling token to a person: whoever gets one without it calls in somebody else's name.",
  how: 'Between two requests of a logged-in user, the route is called without a session, with sessions that were made up, cut, changed or signed out or that have expired, with a session under another scheme, and with the API key or a calling JWT in its place, and once more by the method that is not configured, where a token alone counts. A 2xx status or a token is a failure; another status than 401, or a body without error, is a warning.',
  mints: 3,
  needs: ['backend'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend, configuration, available, optional } = parts
    const expired = optional('expiredSession')
    const signedOut = available('signedOutSession')
    await withShortLivedTokens(parts, async () => {
      const { jwt: callingJwt } = await backend.token()
      const bad = createInvalidSessions(configuration, {
        session: backend.alice,
        callingJwt,
        expired,
        signedOut,
      })
      await judge.sandwich(
        () => backend.token(),
        async () => {
          const send = async ({ name, request, byOtherMethod }: InvalidSession): Promise<Outcome> => {
            const first = await backend.request(request)
            const end = isRedirect(first)
              ? await backend.request({ ...request, followRedirects: true })
              : first
            // A redirect to a login page refuses, whatever the status of that page; one to the route itself does not.
            const isLogin = end.kind === 'answer' && isSuccess(end.status)
            const hasToken = [first, end].some((reply) => backend.issuedBy(reply) !== null)
            return { name, reply: isLogin ? first : end, hasToken, byOtherMethod }
          }
          judgeRefusals(judge, await Promise.all(bad.map(send)))
        },
      )
    })
  },
  catches: {
    'serves whoever sends no session': {
      backend: {
        presentedSession: ({ headers }) => headers.authorization?.slice(7) ?? '',
        recall: (token, _, usual) => (token === '' ? guest : usual()),
      },
    },
    'serves everyone': { backend: { recall: () => guest } },
    'serves a guest where it does not know the session': {
      backend: { recall: async (_, __, usual) => (await usual()) ?? guest },
    },
    'serves everyone by the other method': {
      backend: {
        presentedSession: ({ method, headers }) =>
          method === 'GET' ? '' : headers.authorization?.slice(7) || null,
        recall: (token, _, usual) => (token === '' ? guest : usual()),
      },
    },
    'takes expired sessions': {
      backend: { isLive: ({ id }, _, { signedOut }) => !signedOut.has(id) },
    },
    'takes sessions for a day after their end': {
      backend: {
        isLive: ({ id, expiresAt }, now, { signedOut }) => now < expiresAt + 86_400_000 && !signedOut.has(id),
      },
    },
    'takes sessions that were signed out': { backend: { isLive: ({ expiresAt }, now) => now < expiresAt } },
    'decodes signed sessions without verifying them': {
      backend: { sessionForm: 'signed', recall: (token) => decodedSession(token) },
    },
    'takes signed sessions that say they are unsigned': {
      backend: {
        sessionForm: 'signed',
        recall: (token, _, usual) =>
          readToken(token)?.header['alg'] === 'none' ? decodedSession(token) : usual(),
      },
    },
    'compares the first half of a session': {
      backend: {
        recall: (token, { byToken }) =>
          [...byToken].find(([known]) => token !== '' && known.startsWith(token.slice(0, 20)))?.[1] ?? null,
      },
    },
    'looks at all of a session but its middle': {
      backend: {
        recall: (token, { byToken }) =>
          [...byToken].find(([known]) => known.slice(-8) === token.slice(-8))?.[1] ?? null,
      },
    },
    'ignores the scheme': {
      backend: { presentedSession: ({ headers }) => headers.authorization?.split(' ')[1] ?? null },
    },
    'takes a calling JWT for a session': {
      backend: {
        recall: async (token, _, usual) => (await usual()) ?? (readToken(token) === null ? null : guest),
      },
    },
    'takes the API key for a session': {
      backend: {
        recall: async (token, _, usual) => (await usual()) ?? (token.startsWith('ac_live_') ? guest : null),
      },
    },
    'redirects to a route that takes everyone': {
      backend: {
        isTokenRoute: ({ pathname }, path) => pathname === path || pathname === '/guest',
        recall: () => guest,
        answer: (usual, { url, headers }) =>
          url.pathname !== '/guest' && !headers.authorization?.startsWith('Bearer sess_')
            ? { status: 307, headers: { location: '/guest' }, body: '' }
            : usual,
      },
    },
    'refuses with 200': { backend: { refuseSession: () => jsonAnswer(200, { error: 'sign in first' }) } },
    'refuses with a 401 that holds a token': {
      backend: { refuseSession: () => jsonAnswer(401, { error: 'x', token: 'eyJhbGciOiJub25lIn0.e30.' }) },
    },
    'refuses with 403': {
      backend: { refuseSession: () => jsonAnswer(403, { error: 'forbidden' }) },
      as: 'warn',
    },
    'refuses with 500': {
      backend: { refuseSession: () => jsonAnswer(500, { error: 'failed' }) },
      as: 'warn',
    },
    'refuses without saying error': {
      backend: { refuseSession: () => ({ status: 401, headers: {}, body: 'Unauthorized' }) },
      as: 'warn',
    },
  },
})

interface Outcome {
  readonly name: string
  /** What the route refuses with: before a redirect to a page, behind one to another address of the route. */
  readonly reply: Reply
  readonly hasToken: boolean
  readonly byOtherMethod: boolean
}

function judgeRefusals(judge: Judge, outcomes: readonly Outcome[]): void {
  const limited = outcomes.filter(
    ({ reply, hasToken }) => !hasToken && reply.kind === 'answer' && reply.status === 429,
  )
  const judged =
    limited.length === outcomes.length ? outcomes : outcomes.filter((one) => !limited.includes(one))
  if (judged.length < outcomes.length)
    judge.untested(`a limit on the rate (429) set in before ${listed(limited.map(({ name }) => name))}`)
  const part = (level: 'must' | 'should', expected: string, breach: (outcome: Outcome) => string | null) => {
    const breaches = judged.flatMap((outcome) => {
      const saw = breach(outcome)
      const { name, reply } = outcome
      return saw === null ? [] : [{ saw: `${saw} for a request with ${name}`, exchange: reply.exchange }]
    })
    judge[level](breaches.length === 0, {
      saw: listed(breaches.map(({ saw }) => saw)),
      expected,
      evidence: breaches.map(({ exchange }) => exchange),
    })
  }
  part('must', 'another status than 2xx, and no token', ({ reply, hasToken, byOtherMethod }) => {
    if (hasToken) return 'a token'
    if (byOtherMethod) return null
    return reply.kind === 'answer' && isSuccess(reply.status) ? `the status ${reply.status}` : null
  })
  // What is accused above needs no warning besides.
  part('should', 'the status 401', ({ reply, hasToken, byOtherMethod }) => {
    if (byOtherMethod || hasToken) return null
    if (reply.kind === 'no-answer') return `that the backend ${reply.message}`
    return isSuccess(reply.status) || reply.status === 401 ? null : `the status ${reply.status}`
  })
  part('should', 'a JSON object with the string error', ({ reply, hasToken, byOtherMethod }) => {
    if (byOtherMethod || hasToken || reply.kind === 'no-answer' || isSuccess(reply.status)) return null
    return isRecord(reply.json) && typeof reply.json['error'] === 'string' ? null : 'another body'
  })
}

function isRedirect(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status >= 300 && reply.status <= 399
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}

/** Whom a broken backend takes a stranger for. */
const guest = { id: 'guest', userId: 'guest', expiresAt: Number.POSITIVE_INFINITY }

function decodedSession(token: string) {
  const claims = readToken(token)?.claims
  const [id, userId, exp] = [claims?.['sid'], claims?.['sub'], claims?.['exp']]
  if (typeof id !== 'string' || typeof userId !== 'string' || typeof exp !== 'number') return null
  return { id, userId, expiresAt: exp * 1000 }
}
