import { isRecord, readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { fewAtOnce, inBatches } from '../../src/requirement/in-batches.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { FetchedToken } from '../../src/roles/backend/driver.ts'
import { areDropped } from './lib/are-dropped.ts'
import { isSilent, showReply } from './lib/describe-reply.ts'
import {
  callingJwtName,
  createInvalidSessions,
  type InvalidSession,
  mayLive,
  signedOutName,
} from './lib/invalid-sessions.ts'
import { mustGetToken, type Offered, offerRequest } from './lib/offer-request.ts'
import { jsonAnswer } from './lib/variant-answers.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

const namedAtMost = 12
/** Calling JWTs live for seconds: so many are fetched and offered at once, until one has not ended on its way. */
const mostFetched = 3

export default defineCheck({
  id: 'BACK-02',
  role: 'backend',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['4.2.1'],
  basis: 'The backend validates the sessionToken, and rejects one that is invalid or expired (4.2.1).',
  title: 'rejects requests without a valid session',
  why: 'The session is the only link between a calling token and a user: a token issued without one impersonates that user.',
  how: {
    does: [
      'Between two controls, calls the token route without a session; with sessions that are made up (also under the scheme Basic), truncated, tampered, signed out or expired; and with the API key or a calling JWT in its place.',
      'Repeats each of these requests with the method that is not configured, where only a token counts.',
      "Also sends what a careless comparison takes for the session of alice: it or its last part in the other case, without its punctuation, shorter or longer by four characters, a number with another last digit, her userId, and texts such as undefined, test-token, constructor, %, {\"$ne\":null} and 'OR'1'='1, one of 4,000 characters, and one with a letter that is not ASCII.",
      'Moves a time that can be read in an expired session to tomorrow.',
      'Without a session, also names alice in headers such as X-Forwarded-User, together and each alone, and by the usual names in the body, the query and cookies, names 127.0.0.1 in X-Forwarded-For, and tries HEAD, OPTIONS, PUT, PATCH, DELETE and the path with a slash more or less at its end, with two slashes for one, and in another case: there too only a token counts.',
      'A valid session under the scheme Basic or Token is recorded: it proves the login all the same.',
    ],
    fails: ['A 2xx status or a token.'],
    warns: [
      'A token for a signed-out session that is a JWT and states a later end: a login may let such sessions live until then (BACK-21).',
      'A status other than 401, or a body without the string "error".',
    ],
    untested: [
      'A request that met a rate limit, a gateway error or no response; where only a token counts, no response if an ordinary request is slow, too.',
      'A calling JWT that had expired when it was offered.',
    ],
  },
  mints: 3,
  needs: ['backend'],
  async run(parts, judge) {
    const { backend, available, optional } = parts
    const expired = optional('expiredSession')
    const signedOut = available('signedOutSession')
    await withShortLivedTokens(parts, async () => {
      const fetched = await backend.token()
      const { alice } = backend
      const token = await backend.exactSession(alice)
      const bad = createInvalidSessions(parts, {
        session: { token, userId: alice.userId },
        callingJwt: fetched.jwt,
        expired,
        signedOut,
      })
      await judge.sandwich(
        () => mustGetToken(backend, { session: token }, "alice's session"),
        async () => {
          const send = async ({ name, request, onlyTokenCounts }: InvalidSession): Promise<Outcome> => {
            return { ...(await offerRequest(backend, { ...request, case: name })), name, onlyTokenCounts }
          }
          const sent = await inBatches(bad, fewAtOnce, send)
          const outcomes = await offerLiveJwt(parts, judge, { bad, sent, fetched, send })
          const silent = outcomes.map(({ reply }) => reply).filter(isSilent)
          const isDropping =
            silent.length === 0 || areDropped(silent, await backend.request({ session: token }))
          judgeRefusals(judge, outcomes, isDropping)
        },
      )
      for (const scheme of ['Basic', 'Token']) {
        const { hasToken } = await offerRequest(backend, {
          authorization: `${scheme} ${token}`,
          case: `a valid session under the scheme ${scheme}`,
        })
        judge.observe(`backend.takesScheme${scheme}`, hasToken)
      }
    })
  },
  catches: {
    'serves requests without a session': {
      backend: {
        presentedSession: ({ headers }) => headers.authorization?.slice(7) ?? '',
        recall: (token, _, usual) => (token === '' ? guest : usual()),
      },
    },
    'serves everyone': { backend: { recall: () => guest } },
    'serves a guest where it does not know the session': {
      backend: { recall: async (_, __, usual) => (await usual()) ?? guest },
    },
    'takes the header X-User-Id for a session': { backend: trust(({ 'x-user-id': id }) => id) },
    'takes the header X-Forwarded-User for a session': { backend: trust((one) => one['x-forwarded-user']) },
    'takes the header X-Remote-User for a session': { backend: trust((one) => one['x-remote-user']) },
    'takes the header X-Auth-Request-User for a session, behind a firewall that refuses other such headers': {
      backend: {
        ...trust((one) => one['x-auth-request-user']),
        answer: (usual, { headers }) =>
          'x-forwarded-user' in headers ? jsonAnswer(403, { error: 'forbidden' }) : usual,
      },
    },
    'takes the header X-Consumer-Username for a session': {
      backend: trust((one) => one['x-consumer-username']),
    },
    'takes those without a session at the word of their body': {
      backend: trust((_, { body }) => /"userId":"([^"]*)"/.exec(body)?.[1]),
    },
    'takes those without a session at the word of their query': {
      backend: trust((_, { url }) => url.searchParams.get('uid') ?? undefined),
    },
    'takes those without a session at the word of a cookie user': {
      backend: trust(({ cookie }) => /\buser=([^;]+)/.exec(cookie ?? '')?.[1]),
    },
    'takes those without a session at the word of a cookie': {
      backend: trust(({ cookie }) => /\buser_id=([^;]+)/.exec(cookie ?? '')?.[1]),
    },
    'serves its own machine without a session': {
      backend: trust((one) => (one['x-forwarded-for']?.startsWith('127.') ? 'internal' : undefined)),
    },
    'checks no session where the path ends with a slash': { backend: guardOnly(/^.calling.token$/) },
    'checks no session where the path is in another case': { backend: guardOnly(/^[^A-Z]+$/) },
    'checks no session where the path is in another case, and cuts the first such request off': {
      backend: { ...guardOnly(/^[^A-Z]+$/), ...cutFirstOff(({ url }) => /[A-Z]/.test(url.pathname)) },
    },
    'checks no session where the path has two slashes for one': { backend: guardOnly(/^(?!.*\/\/)/) },
    'checks the sessions of GET and POST only': {
      backend: {
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        callingToken: async ({ method }, { mint, authenticate, userId }) =>
          mint(['GET', 'POST'].includes(method) ? userId(await authenticate()) : 'guest'),
      },
    },
    'compares sessions without their case': { backend: compareBy((token) => token.toLowerCase()) },
    'compares the letters and digits of sessions only': {
      backend: compareBy((token) => token.replaceAll(/\W|_/g, '')),
    },
    'compares sessions that are digits as numbers': {
      backend: {
        sessionForm: 'numeric',
        ...findSession((token, known) => /^\d+$/.test(token) && Number(token) === Number(known)),
      },
    },
    'compares the last part of a session without its case': {
      backend: {
        sessionForm: 'dated',
        ...findSession((token, known) => {
          const [first, end = '', last = ''] = token.split('.')
          return (
            known.startsWith(`${first}.${end}.`) && known.toLowerCase().endsWith(`.${last.toLowerCase()}`)
          )
        }),
      },
    },
    'believes a session how long it lives': {
      backend: {
        sessionForm: 'dated',
        recall: (token, { byToken }) => {
          const [, end = '', last = ''] = token.split('.')
          const session = [...byToken].find(([known]) => last !== '' && known.endsWith(`.${last}`))?.[1]
          return session === undefined ? null : { ...session, expiresAt: Number(end) * 1000 }
        },
      },
    },
    'compares as much of a session as its column holds': {
      backend: compareBy((token) => token.slice(0, 28)),
    },
    'looks for a session that begins so': {
      backend: findSession((token, known) => token.length >= 28 && known.startsWith(token)),
    },
    'looks for a session that the text begins with': {
      backend: findSession((token, known) => token.startsWith(known)),
    },
    'looks sessions up by LIKE': { backend: findSession((token) => token === '%') },
    'looks sessions up by a pattern of one character': { backend: findSession((token) => token === '_') },
    'looks sessions up by KEYS': { backend: findSession((token) => token === '*') },
    'takes a session for a query': {
      backend: findSession((token) => token.startsWith('{') && '$ne' in JSON.parse(token)),
    },
    'puts a session into its SQL': {
      backend: findSession((token) => /^'\s*or\s*'1'='1$/i.test(token)),
    },
    'lets a session pass that its store cannot take for its length': {
      backend: { recall: (token, _, usual) => (token.length > 2000 ? guest : usual()) },
    },
    'lets a session pass that its store cannot take for its letters': {
      backend: { recall: (token, _, usual) => (/[\x80-\xff]/.test(token) ? guest : usual()) },
    },
    'looks sessions up in an object': { backend: findSession((token) => token in {}) },
    'looks sessions up in an object, and takes what is no function': {
      backend: findSession((token) => token === '__proto__'),
    },
    'takes undefined for a session': { backend: findSession((token) => token === 'undefined') },
    'takes null for a session': { backend: findSession((token) => token === 'null') },
    'has left the session of its tests in': { backend: findSession((token) => token === 'test-token') },
    "takes the user's id for a session": { backend: findUser((token, userId) => token === userId) },
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
    'takes signed sessions that were signed out': {
      backend: { sessionForm: 'signed', isLive: ({ expiresAt }, now) => now < expiresAt },
      as: 'warn',
    },
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
    'serves any request with another scheme than Bearer': {
      backend: {
        presentedSession: ({ headers }) =>
          /^basic /i.test(headers.authorization ?? '')
            ? ''
            : (/^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null),
        recall: (token, _, usual) => (token === '' ? guest : usual()),
      },
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
    'refuses with a 401 that contains a token': {
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
    'is overloaded whenever a session is not valid': {
      backend: { refuseSession: () => jsonAnswer(503, { error: 'busy' }) },
      as: 'error',
    },
    'refuses without saying error': {
      backend: { refuseSession: () => ({ status: 401, headers: {}, body: 'Unauthorized' }) },
      as: 'warn',
    },
  },
})

/** Cases that rest on the file: a session there may still live. */
const fromFile: Readonly<Record<string, string>> = {
  'an expired session': 'backend.sessions.expired',
  [signedOutName]: 'backend.sessions.signedOut',
}

function elseInFile(cases: readonly string[]): string {
  const settings = Object.entries(fromFile).flatMap(([name, setting]) =>
    cases.some((one) => one.startsWith(name)) ? [setting] : [],
  )
  return settings.length === 0 ? '' : `; where its session still lives, correct ${listNames(settings)}`
}

interface Outcome extends Offered {
  readonly name: string
  readonly onlyTokenCounts: boolean
}

interface OfferedJwt {
  readonly bad: readonly InvalidSession[]
  /** The outcomes of `bad`, in the same order. */
  readonly sent: readonly Outcome[]
  /** The calling JWT among them. */
  readonly fetched: FetchedToken
  readonly send: (request: InvalidSession) => Promise<Outcome>
}

/** The same outcomes: a calling JWT that had ended when it was offered shows nothing, and a new one is offered in its place. */
export async function offerLiveJwt(
  { backend, clock }: Pick<CheckContext<'backend'>, 'backend' | 'clock'>,
  judge: Judge,
  { bad, sent, fetched, send }: OfferedJwt,
): Promise<Outcome[]> {
  const wallAt = (instant: number) => clock.wall() - (clock.monotonic() - instant)
  /** Between its request and the offer, so that clock skew does not matter. */
  const hasEnded = ({ jwt, answer }: FetchedToken, { reply }: Outcome) => {
    const exp = readToken(jwt)?.claims?.['exp']
    return typeof exp === 'number' && wallAt(answer.sentAt) < exp * 1000 && exp * 1000 <= wallAt(reply.sentAt)
  }
  const outcomes: Outcome[] = []
  for (const [place, first] of sent.entries()) {
    const offered = bad[place]
    let outcome = first
    if (offered?.name.startsWith(callingJwtName) === true) {
      let token = fetched
      const isMissed = () => !outcome.hasToken && hasEnded(token, outcome)
      for (let tries = 0; tries < mostFetched && isMissed(); tries += 1) {
        token = await backend.token()
        outcome = await send({ ...offered, request: { ...offered.request, session: token.jwt } })
      }
      if (isMissed()) judge.missed('the calling JWT had expired when it was offered as the session')
    }
    outcomes.push(outcome)
  }
  return outcomes
}

/** A server may drop what no client sends before the route sees it: there, no response is no token. */
function isLeftUndecided({ isUndecided, onlyTokenCounts, reply }: Outcome, isDropping: boolean): boolean {
  const isDropped = onlyTokenCounts && reply.kind === 'no-answer' && (isDropping || !isSilent(reply))
  return isUndecided && !isDropped
}

function judgeRefusals(judge: Judge, outcomes: readonly Outcome[], isDropping: boolean): void {
  const limited = outcomes.filter((outcome) => isLeftUndecided(outcome, isDropping))
  const judged = outcomes.filter(({ isUndecided }) => !isUndecided)
  const met = `a rate limit, a gateway error or no response, and no rejection, for a request with ${listNames(limited.map(({ name }) => name))}`
  // A route that is nowhere else shows nothing of sessions.
  const evidence = limited.map(({ reply }) => reply.exchange)
  if (judged.every(({ onlyTokenCounts, hasToken }) => onlyTokenCounts && !hasToken)) {
    judge.lost(met, evidence)
    return
  }
  if (limited.length > 0) judge.undecided(met, evidence)
  const part = (
    level: 'must' | 'should',
    expected: string,
    breach: (outcome: Outcome) => string | null,
    fix = 'Answer 401 with { "error": "…" }.',
  ) => {
    const breaches = judged.flatMap((outcome) => {
      const saw = breach(outcome)
      const { name, reply } = outcome
      return saw === null ? [] : [{ name, saw, exchange: reply.exchange }]
    })
    judge[level](breaches.length === 0, {
      saw: listBreaches(breaches),
      expected,
      fix:
        level === 'must'
          ? `Validate the session before anything else, whatever the method, the spelling of the path and other headers are, compare all of it, and answer 401${elseInFile(breaches.map(({ name }) => name))}.`
          : fix,
      evidence: breaches.map(({ exchange }) => exchange),
    })
  }
  part('must', 'a non-2xx status and no token (4.2.1)', ({ reply, hasToken, onlyTokenCounts, name }) => {
    if (hasToken && mayLive(name)) return null
    if (hasToken) return `${showReply(reply)} and a calling token`
    if (onlyTokenCounts) return null
    return reply.kind === 'answer' && isSuccess(reply.status) ? showReply(reply) : null
  })
  part(
    'should',
    'a rejection, as for any session that is not valid (4.2.1)',
    ({ hasToken, name }) => (hasToken && mayLive(name) ? 'a calling token' : null),
    `Look signed-out sessions up, or let sessions live for minutes and renew them${elseInFile([signedOutName])}.`,
  )
  // A request that is accused above needs no warning as well.
  part('should', 'status 401 (7.2)', ({ reply, hasToken, onlyTokenCounts }) => {
    if (onlyTokenCounts || hasToken) return null
    if (reply.kind === 'answer' && (isSuccess(reply.status) || reply.status === 401)) return null
    return showReply(reply)
  })
  part('should', '{ "error": "…" } (7.2)', ({ reply, hasToken, onlyTokenCounts }) => {
    if (onlyTokenCounts || hasToken || reply.kind === 'no-answer' || isSuccess(reply.status)) return null
    return isRecord(reply.json) && typeof reply.json['error'] === 'string'
      ? null
      : 'a body without the string "error"'
  })
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}

/** Lists each sight with the requests that it was seen for. */
function listBreaches(breaches: readonly { readonly name: string; readonly saw: string }[]): string {
  const bySight = Map.groupBy(breaches, ({ saw }) => saw)
  return [...bySight]
    .map(([saw, alike]) => `${saw} for a request with ${listNames(alike.map(({ name }) => name))}`)
    .join('; ')
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namedAtMost)
  const more = names.length - shown.length
  return new Intl.ListFormat('en').format(more === 0 ? shown : [...shown, `${more} more`])
}

/** The user that a broken backend assumes for an unauthenticated request. */
const guest = { id: 'guest', userId: 'guest', expiresAt: Number.POSITIVE_INFINITY }

type Headers = Readonly<Record<string, string | undefined>>

interface Inbound {
  readonly headers: Headers & { readonly authorization?: string }
  readonly url: URL
  readonly body: string
}

/** A backend that takes the user from elsewhere where there is no session. */
function trust(userIn: (headers: Headers, request: Inbound) => string | undefined) {
  return {
    async callingToken<Minted>(
      request: Inbound,
      { authenticate, mint, userId }: Steps<Minted>,
    ): Promise<Minted> {
      const { headers } = request
      const named = headers.authorization === undefined ? userIn(headers, request) : undefined
      return await mint(named ?? userId(await authenticate()))
    },
  }
}

/** A backend whose router takes more spellings of the path than the check of the session. */
function guardOnly(guarded: RegExp) {
  return {
    isTokenRoute: ({ pathname }: { readonly pathname: string }, path: string) =>
      pathname.toLowerCase().replaceAll(/\/+/g, '/').replace(/\/$/, '') === path,
    async callingToken<Minted>(
      { url }: { readonly url: { readonly pathname: string } },
      { authenticate, mint, userId }: Steps<Minted>,
    ): Promise<Minted> {
      return await mint(guarded.test(url.pathname) ? userId(await authenticate()) : 'guest')
    },
  }
}

/** A backend whose server ends the connection of the first such request without a response. */
function cutFirstOff(isMeant: (request: { readonly url: URL }) => boolean) {
  const cut = new Set<string>()
  return {
    answer<Answer>(usual: Answer, request: { readonly url: URL }): Answer {
      const { host } = request.url
      if (!isMeant(request) || cut.has(host)) return usual
      cut.add(host)
      throw new Error('the connection is cut off')
    },
  }
}

interface Steps<Minted> {
  authenticate(): Promise<typeof guest>
  mint(userId: string): Promise<Minted>
  userId(session: typeof guest): string
}

/** A backend that takes one text for another where what it makes of both is the same. */
function compareBy(reduce: (token: string) => string) {
  return findSession((token, known) => reduce(token) === reduce(known))
}

/** A backend that looks through all its sessions, and takes the first that is live. */
function findSession(isFound: (token: string, known: string) => boolean) {
  return findUser((token, _, known) => isFound(token, known))
}

function findUser(isFound: (token: string, userId: string, known: string) => boolean) {
  return {
    recall: (token: string, { byToken, signedOut }: Records) =>
      byToken.get(token) ??
      [...byToken].find(
        ([known, { id, userId, expiresAt }]) =>
          expiresAt > Date.now() && !signedOut.has(id) && isFound(token, userId, known),
      )?.[1] ??
      null,
  }
}

interface Records {
  readonly byToken: ReadonlyMap<string, typeof guest>
  readonly signedOut: ReadonlySet<string>
}

function decodedSession(token: string) {
  const claims = readToken(token)?.claims
  const [id, userId, exp] = [claims?.['sid'], claims?.['sub'], claims?.['exp']]
  if (typeof id !== 'string' || typeof userId !== 'string' || typeof exp !== 'number') return null
  return { id, userId, expiresAt: exp * 1000 }
}
