import { attack, type Case } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import { asJson, cookiesNamed, fieldsNamed, headersNamed, sessionCookies } from './lib/bodies.ts'
import { describeReply, isOverload, isSilent } from './lib/describe-reply.ts'
import { isOneUser, oneUserForTwo, tokensTellNoUser, withSight } from './lib/sight.ts'

interface Sessions extends Case {
  readonly request: BackendRequest
  /** `either`: both users are in the Authorization header. `query`: the session of alice is in the query alone. */
  readonly counts: 'bearer' | 'either' | 'query'
}

export default defineCheck({
  id: 'BACK-25',
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
      'A session in the query where a request without any session gets a token, too (BACK-02).',
      'A backend that gives both users the same token (BACK-11), or mints for one and the same user (BACK-05).',
      'A backend without the mint double, of whose tokens no claim holds the userId.',
    ],
  },
  mints: 11,
  needs: ['backend', 'bob'],
  run: (parts, judge) =>
    withSight(parts, async (sight) => {
      const { backend, bob } = parts
      if (sight === null) return judge.untested(tokensTellNoUser)
      // A backend that caches may answer with a token of an earlier turn.
      const own = new Map<string, string>()
      const userOf = (jwt: string) => own.get(jwt) ?? sight.userOf(jwt)
      const { jwt: forAlice } = await backend.token()
      const { jwt: forBob } = await backend.token(bob)
      if (forAlice === forBob)
        return judge.untested('both users got the same token, which BACK-11 and BACK-12 judge')
      const alice = userOf(forAlice) ?? backend.alice.userId
      const other = userOf(forBob) ?? bob.userId
      if (isOneUser({ jwt: forAlice, user: alice }, { jwt: forBob, user: other }))
        return judge.untested(oneUserForTwo)
      own.set(forAlice, alice).set(forBob, other)
      const [first, second] = [await backend.exactSession(backend.alice), await backend.exactSession(bob)]
      const outcomes: Record<string, string> = {}
      const fix = 'Reject a request with two sessions, or read the bearer alone.'
      await attack(judge, {
        // The very sessions that are sent: one that has ended meanwhile is rejected.
        async control() {
          await backend.token(first)
          await backend.token(second)
        },
        cases: createRequests(first, second),
        together: false,
        of: 'for a request with',
        async send({ name, request, counts }) {
          const reply = await backend.request({ ...request, followRedirects: counts !== 'query', case: name })
          const jwt = backend.issuedBy(reply) === null ? null : backend.tokenOf(reply)
          const user = jwt === null ? null : userOf(jwt)
          const whose = user === null ? '' : ` for ${user === alice ? 'the first' : 'another'} user`
          const needsNoSession =
            jwt !== null &&
            counts === 'query' &&
            backend.issuedBy(await backend.request({ session: null, case: 'no session' })) !== null
          outcomes[name] = jwt !== null ? `a token${whose}` : describeReply(reply)
          return {
            user,
            hasToken: jwt !== null,
            isUndecided: jwt === null && (counts === 'query' ? isSilent(reply) : isOverload(reply)),
            unseen: needsNoSession
              ? 'the route also serves requests without a session (BACK-02),'
              : jwt !== null && user === null && counts !== 'query'
                ? 'nothing shows for whom the token is'
                : null,
            evidence: [reply.exchange],
          }
        },
        breaches: [
          {
            level: 'must',
            saw: ({ user }, { counts }) =>
              counts === 'query' || user === null || user === alice || user === other
                ? null
                : 'a token for a third user',
            expected: 'a token for the user of the bearer, or a rejection (2.1.4)',
            fix,
          },
          {
            level: 'advisory',
            saw: ({ user }, { counts }) =>
              counts === 'bearer' && user === other ? 'a token for the other user' : null,
            expected: 'a token for the user of the bearer, or a rejection',
            fix,
          },
          {
            level: 'advisory',
            saw: ({ hasToken }, { counts }) => (counts === 'query' && hasToken ? 'a calling token' : null),
            expected: 'a rejection: the session travels in the Authorization header (4.2)',
            fix: 'Read the session from the Authorization header alone; logs and histories keep addresses.',
          },
        ],
      })
      judge.observe('backend.twoSessions', outcomes)
    }),
})

const headerNames = ['X-Auth-Token', 'X-Session-Token', 'X-Access-Token', 'X-Authorization', 'X-Token']
const fieldNames = ['access_token', 'token', 'sessionToken', 'session_token', 'session']

function createRequests(first: UserSession, { token: second, cookie }: UserSession): Sessions[] {
  const fields = fieldsNamed(fieldNames, second)
  const beside = (place: string, request: BackendRequest): Sessions => ({
    name: `another user's session in ${place}`,
    request: { ...request, session: first },
    counts: 'bearer',
  })
  const without = (
    name: string,
    request: BackendRequest,
    counts: Sessions['counts'] = 'either',
  ): Sessions => ({
    name,
    request: { ...request, session: null },
    counts,
  })
  const bearers = [first.token, second].map((token) => ['authorization', `Bearer ${token}`] as const)
  return [
    beside('a cookie', { headers: [['cookie', cookie ?? cookiesNamed(sessionCookies, second)]] }),
    beside('other headers', { headers: headersNamed(headerNames, second) }),
    beside('the query', { query: fields }),
    beside('the body', { method: 'POST', body: asJson(fields) }),
    without('two Authorization headers', { headers: bearers }),
    without('two sessions in one Authorization header', {
      authorization: `Bearer ${first.token}, Bearer ${second}`,
    }),
    without('two sessions behind one scheme', { authorization: `Bearer ${first.token},${second}` }),
    without('a session in the query alone', { query: fieldsNamed(fieldNames, first.token) }, 'query'),
  ]
}
