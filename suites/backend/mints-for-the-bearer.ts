import type { Reply } from '../../src/base/http/client.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import type { ScriptedMint } from '../../src/roles/mint/double.ts'
import { isOverload } from './lib/describe-reply.ts'
import { findMintedUser } from './lib/find-minted-user.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { mustGetToken } from './lib/offer-request.ts'
import { learnTokenUser, tokensTellNoUser } from './lib/read-token-user.ts'
import { minting, presenting } from './lib/variant-identities.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

/** A request with the sessions of two users. */
interface TwoSessions {
  /** Completes "a request with the bearer of one user and …". */
  readonly name: string
  readonly request: BackendRequest
  /** Both users are in the Authorization header: either of them may count. */
  readonly isEither?: boolean
}

export default defineCheck({
  id: 'BACK-25',
  role: 'backend',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: ['2.1.4', '4.2.2'],
  standards: ['RFC 6750, 2', 'OWASP ASVS 5.0, 15.3.7'],
  title: 'mints for the bearer where a request has two sessions',
  why: 'A page of another site, or a link, can add a cookie or a parameter to a request. A backend that prefers it mints for a user whom the app does not mean.',
  how: {
    does: [
      'Between two controls for each of two users, sends the session of alice as bearer, and that of bob in a cookie, in headers such as X-Auth-Token, in the query or in the body.',
      'Sends both as two Authorization headers, and in one, separated by a comma.',
      'Sends the session of alice in the query alone, by names such as access_token.',
      'A rejection is right, and recorded, as is the user of each token.',
    ],
    fails: ['A token for a third user.'],
    warns: [
      'A token for bob, where the bearer was that of alice.',
      'A token for a session that only the query holds: addresses are kept in logs and histories, and in what links to others.',
    ],
    untested: [
      'A request that met a rate limit, a gateway error or no response.',
      'A backend that gives both users the same token (BACK-11).',
      'A backend without the mint double, of whose tokens no claim holds the userId.',
    ],
  },
  mints: 11,
  needs: ['backend', 'bob'],
  run: (parts, judge) => withShortLivedTokens(parts, (double) => judgeIdentities(parts, double, judge)),
  catches: {
    'prefers the session in a cookie': {
      backend: presenting(({ headers }) => cookieIn(headers['cookie'], 'session')),
      as: 'warn',
    },
    'prefers the header X-Auth-Token': {
      backend: presenting(({ headers }) => headers['x-auth-token']),
      as: 'warn',
    },
    'prefers the header X-Access-Token': {
      backend: presenting(({ headers }) => headers['x-access-token']),
      as: 'warn',
    },
    'prefers access_token of the query': {
      backend: presenting(({ url }) => url.searchParams.get('access_token') ?? undefined),
      as: 'warn',
    },
    'prefers sessionToken of the body': {
      backend: presenting(({ body }) => (body === '' ? undefined : JSON.parse(body).sessionToken)),
      as: 'warn',
    },
    'prefers the cookie, and cannot be pointed at the mint double': {
      backend: presenting(({ headers }) => cookieIn(headers['cookie'], 'session')),
      as: 'warn',
      withoutDouble: true,
    },
    'takes a session from the query where there is no bearer': {
      backend: presenting(({ url, headers }) =>
        headers.authorization === undefined ? (url.searchParams.get('token') ?? undefined) : undefined,
      ),
      as: 'warn',
    },
    'keeps one token for everyone': {
      backend: {
        tokenFor: (userId, { kept, mint }) => {
          const token = kept.get('') ?? mint(userId)
          kept.set('', token)
          return token
        },
      },
      as: 'untested',
    },
    'mints for both users in one': {
      backend: minting((users) => users.join(',')),
    },
    'mints for a guest where two users are named': {
      backend: minting(([first = 'guest', ...others]) => (others.length > 0 ? 'guest' : first)),
    },
    'mints for the bearer within the account of the cookie': {
      backend: minting(([first = '', second]) => (second === undefined ? first : `${second}/${first}`)),
    },
    'mints for a guest where two users are named, and cannot be pointed at the mint double': {
      backend: minting(([first = 'guest', ...others]) => (others.length > 0 ? 'guest' : first)),
      withoutDouble: true,
    },
  },
})

async function judgeIdentities(
  parts: CheckContext<'backend' | 'bob'>,
  double: ScriptedMint | null,
  judge: Judge,
): Promise<void> {
  const { backend, bob } = parts
  const readUser = double === null ? await learnTokenUser(parts) : null
  if (double === null && readUser === null) {
    judge.untested(tokensTellNoUser)
    return
  }
  const own = new Map<string, string>()
  const userOf = (jwt: string) =>
    own.get(jwt) ?? (double === null ? (readUser?.(jwt) ?? null) : findMintedUser(double, jwt))
  const control = async () => {
    const forAlice = await mustGetToken(backend, { session: backend.alice }, "alice's session")
    const forBob = await mustGetToken(backend, { session: bob }, "bob's session")
    return { alice: userOf(forAlice), bob: userOf(forBob), forAlice, forBob }
  }
  const users = await control()
  if (users.forAlice === users.forBob)
    return judge.untested('both users got the same token, which BACK-11 and BACK-12 judge')
  // A backend that caches may answer with a token of an earlier turn.
  const alice = users.alice ?? backend.alice.userId
  const other = users.bob ?? bob.userId
  own.set(users.forAlice, alice).set(users.forBob, other)
  const [session, second] = [await backend.exactSession(backend.alice), await backend.exactSession(bob)]
  const outcomes: Record<string, string> = {}
  for (const one of createRequests(session, second, bob.cookie)) await judgeRequest(one)
  await judgeQuery()
  judge.observe('backend.twoSessions', outcomes)
  // The very sessions that were sent: one that has ended meanwhile is rejected.
  await mustGetToken(backend, { session }, "alice's session")
  await mustGetToken(backend, { session: second }, "bob's session")

  async function judgeRequest({ name, request, isEither = false }: TwoSessions): Promise<void> {
    const reply = await backend.request({ ...request, followRedirects: true, case: name })
    const jwt = backend.issuedBy(reply) === null ? null : backend.tokenOf(reply)
    const user = jwt === null ? null : userOf(jwt)
    outcomes[name] = describe(reply, jwt, user)
    if (jwt === null && isOverload(reply))
      judge.undecided(`a rate limit, a gateway error or no response for a request with ${name}`, [
        reply.exchange,
      ])
    else if (jwt !== null && user === null)
      judge.untested(`nothing shows for whom the token of a request with ${name} is`)
    else judgeUser(name, reply, user, isEither)
  }

  async function judgeQuery(): Promise<void> {
    const name = 'a session in the query alone'
    const query = Object.fromEntries(fieldNames.map((field) => [field, session]))
    const reply = await backend.request({ session: null, query, case: name })
    const jwt = backend.issuedBy(reply) === null ? null : backend.tokenOf(reply)
    outcomes[name] = describe(reply, jwt, jwt === null ? null : userOf(jwt))
    if (leaveUndecided(judge, reply, `for ${name}`)) return
    judge.advisory(jwt === null, {
      case: name,
      saw: `a calling token for ${name}`,
      expected: 'a rejection: the session travels in the Authorization header (4.2)',
      fix: 'Read the session from the Authorization header alone; what stands in an address is kept in logs and histories.',
      evidence: [reply.exchange],
    })
  }

  function judgeUser(name: string, { exchange }: Reply, user: string | null, isEither: boolean): void {
    judge.must(user === null || user === alice || user === other, {
      case: name,
      saw: `a token for a third user, for a request with ${name}`,
      expected: 'a token for the user of the bearer, or a rejection (2.1.4)',
      fix: 'Reject a request with two sessions, or read the bearer alone.',
      evidence: [exchange],
    })
    judge.advisory(isEither || user !== other, {
      case: name,
      saw: `a token for the other user, for a request with ${name}`,
      expected: 'a token for the user of the bearer, or a rejection',
      fix: 'Reject a request with two sessions, or read the bearer alone.',
      evidence: [exchange],
    })
  }

  function describe(reply: Reply, jwt: string | null, user: string | null): string {
    if (jwt === null) return reply.kind === 'no-answer' ? reply.message : `status ${reply.status}`
    if (user === null) return 'a token'
    return user === alice ? 'a token for the first user' : 'a token for another user'
  }
}

const cookieNames = [
  'session',
  'sessionToken',
  'session_token',
  'sid',
  'token',
  'access_token',
  'jwt',
  'auth',
]
const headerNames = ['X-Auth-Token', 'X-Session-Token', 'X-Access-Token', 'X-Authorization', 'X-Token']
const fieldNames = ['access_token', 'token', 'sessionToken', 'session_token', 'session']

function createRequests(first: string, second: string, cookie: string | undefined): TwoSessions[] {
  const bearer = { session: first }
  const fields = Object.fromEntries(fieldNames.map((name) => [name, second]))
  const both = (one: string, other: string): BackendRequest => ({
    session: null,
    headers: [
      ['authorization', `Bearer ${one}`],
      ['authorization', `Bearer ${other}`],
    ],
  })
  return [
    {
      name: "another user's session in a cookie",
      request: {
        ...bearer,
        headers: [['cookie', cookie ?? cookieNames.map((name) => `${name}=${second}`).join('; ')]],
      },
    },
    {
      name: "another user's session in other headers",
      request: { ...bearer, headers: headerNames.map((name) => [name, second]) },
    },
    { name: "another user's session in the query", request: { ...bearer, query: fields } },
    {
      name: "another user's session in the body",
      request: {
        ...bearer,
        method: 'POST',
        body: { text: JSON.stringify(fields), contentType: 'application/json' },
      },
    },
    { name: 'two Authorization headers', request: both(first, second), isEither: true },
    {
      name: 'two sessions in one Authorization header',
      request: { session: null, authorization: `Bearer ${first}, Bearer ${second}` },
      isEither: true,
    },
    {
      name: 'two sessions behind one scheme',
      request: { session: null, authorization: `Bearer ${first},${second}` },
      isEither: true,
    },
  ]
}

function cookieIn(header = '', name: string): string | undefined {
  const pairs = header.split('; ').map((pair) => pair.split('='))
  return pairs.find(([key]) => key === name)?.[1]
}
