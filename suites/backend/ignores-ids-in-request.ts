import { attack, type Case, listNames } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import type { DoubleCall } from '../../src/roles/mint/double.ts'
import { userHeaders } from '../lib/user-headers.ts'
import { asForm, asJson, asMultipart, cookiesNamed, fieldsNamed, headersNamed } from './lib/bodies.ts'
import { isOverload } from './lib/describe-reply.ts'
import { isOneUser, oneUserForTwo, tokensTellNoUser, withSight } from './lib/sight.ts'
import { rareUserHeaders } from './lib/unguarded-requests.ts'
import { watchQuiet } from './lib/watch-quiet.ts'

export const names = ['userId', 'user_id', 'uid', 'id', 'sub'] as const
/** Sent one by one in JSON, too. */
export const otherNames = ['identity', 'callerId', 'account_id'] as const
/** By which those who support users act for them. */
export const actingNames = ['as', 'impersonate'] as const
const rareNames = [
  ...otherNames,
  ...actingNames,
  ...['accountId', 'account', 'customerId', 'memberId', 'username', 'user', 'login', 'email', 'caller'],
  ...['from', 'as_user', 'asUser', 'act_as', 'actAs', 'on_behalf_of', 'impersonatedUserId'],
  ...['targetUserId', 'externalId', 'peerId', 'participantId'],
]

const singleHeaders = ['X-User-Id', 'X-User', 'X-Forwarded-User', 'X-Original-User']
const actingHeaders = ['X-Impersonate-User', 'Impersonate-User', 'X-Act-As', 'X-On-Behalf-Of', 'X-Account-Id']

export default defineCheck({
  id: 'BACK-04',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.2.2'],
  basis: 'The userId is that of the logged-in user, whom the session names (4.2.2).',
  title: "mints for the session's user, ignoring ids in the request",
  why: 'If the request can name the user, every logged-in user can get a calling token of any other user.',
  how: {
    does: [
      "A logged-in user requests a token and names another user's id in the body (JSON, form and multipart), the query (alone and beside their own), cookies, the path and headers, under the usual names, and under those of impersonation.",
      'With {userId} in backend.request, names that user in its place, too.',
      "Expects the user for whom an ordinary request is minted at the suite's mint double, or no call where the backend rejects such a request.",
      'Without the mint double, the userId in the claims of each new token is judged.',
    ],
    fails: [
      'A mint call for the named id, and a token for any other user than theirs, unless the backend makes such calls by itself while nothing is asked of it (health probes).',
    ],
    untested: ['A backend that mints for one and the same user for alice and bob (BACK-05).'],
  },
  mints: 41,
  needs: ['backend', 'bob'],
  run: (parts, judge) =>
    withSight(parts, async (sight) => {
      const { backend, bob, clock } = parts
      const { alice } = backend
      if (sight === null) return judge.untested(tokensTellNoUser)
      const { double } = sight
      // From here on, a token that the backend caches for alice is known to be hers.
      const usual = await sight.fetch(alice)
      if (double === null && usual.user === null) return judge.untested(tokensTellNoUser)
      // The file may name another id than the backend mints for her: FLOW-02 judges that.
      const isMisnamed = usual.user === null || (double !== null && usual.user === bob.userId)
      const ownId = isMisnamed ? alice.userId : (usual.user ?? alice.userId)
      if (double !== null && ownId !== alice.userId) judge.observe('backend.mintsOtherIdThanConfigured', true)
      const own = double === null ? new Set() : await watchQuiet(double, clock)
      const known = new Set([usual.jwt])
      /** A short id is a part of others by chance. */
      const isNamed = (user: string) =>
        user === bob.userId || (bob.userId.length > 3 && user.includes(bob.userId))
      let isStable = true
      let before = 0
      // A new id for each call is judged by BACK-05: here only the named one shows that the request counts.
      const isOther = (user: string | null) => user !== null && user !== ownId && (isStable || isNamed(user))
      await attack(judge, {
        async control() {
          const { jwt } = await backend.token()
          known.add(jwt)
          const user = sight.userOf(jwt)
          if (user !== null && user !== ownId) isStable = false
          before = double?.calls().length ?? 0
        },
        cases: [
          { name: 'where the app states its own', request: { userId: bob.userId } },
          ...casesNaming(bob.userId, alice.userId, backend.method),
        ].slice(backend.statesUser ? 0 : 1),
        of: 'when the request names an id',
        async send({ name, request }) {
          // Where the route redirects, the final response counts.
          const reply = await backend.request({
            ...request,
            followRedirects: true,
            case: `another id ${name}`,
          })
          const jwt = backend.tokenOf(reply)
          const user = jwt === null ? null : sight.userOf(jwt)
          const isCached = jwt !== null && (double === null ? known.has(jwt) : user === null)
          return {
            user,
            isRefused: jwt === null,
            isUnanswered: reply.kind === 'no-answer',
            isUndecided: jwt === null && isOverload(reply),
            unseen: isCached ? 'the backend answered from a cache, which shows nothing' : null,
            evidence: [reply.exchange],
          }
        },
        breaches: {
          level: 'must',
          saw: ({ user }) => (isOther(user) ? "another user's token" : null),
          expected,
          fix,
        },
        judgeAll(tried) {
          const affected = tried.filter(({ seen }) => isOther(seen.user))
          const returned = new Set(affected.map(({ seen }) => seen.user))
          // An id that was neither named nor returned is one of a health probe or a listener, which BACK-03 judges.
          const isCounted = ({ userId: user }: DoubleCall) =>
            user !== null && user !== ownId && !own.has(user) && (returned.has(user) || isNamed(user))
          const calls = (double?.calls() ?? []).slice(before).filter(isCounted)
          const called = calls.map(({ userId }) => (userId === bob.userId ? 'the named user' : 'another id'))
          // A call whose request was not answered may be a late one of another request: it is judged once more, then.
          const shown = affected.length > 0 ? affected : tried.filter(({ seen }) => seen.isUnanswered)
          judge.must(calls.length === 0, {
            saw: `mint calls for ${listNames(called)} when the request names an id`,
            expected,
            fix,
            evidence: [
              ...shown.flatMap(({ seen }) => seen.evidence),
              ...calls.map(({ exchange }) => exchange),
            ],
          })
          const refused = tried.flatMap(({ one, seen }) => (seen.isRefused ? [one.name] : []))
          judge.observe('refused', refused)
        },
      })
      const { jwt, user } = await sight.request({ session: bob })
      if (jwt !== null && isOneUser({ jwt, user }, { ...usual, user: ownId })) judge.untested(oneUserForTwo)
    }),
})

const expected = "mint calls for the session's user only (4.2.2)"
const fix = 'Take the userId from the validated session and ignore the request.'

interface Naming extends Case {
  readonly request: BackendRequest
}

/** One name at a time, since a backend may reject unknown fields; and all at once. */
function casesNaming(id: string, own: string, method: 'POST' | 'GET'): Naming[] {
  const all = fieldsNamed(names, id)
  const rare = fieldsNamed(rareNames, id)
  const nested = { type: 'tokens', id, userId: id, attributes: { userId: id, user_id: id } }
  const variables = { userId: id, input: { userId: id } }
  const bodies: Readonly<Record<string, BackendRequest['body']>> = {
    ...Object.fromEntries(
      [...names, ...otherNames].map((name) => [`as ${name} in JSON`, asJson({ [name]: id })]),
    ),
    ...Object.fromEntries(names.map((name) => [`as ${name} in a form`, asForm({ [name]: id })])),
    'under every name in JSON': asJson(all),
    'under every name in a form': asForm(all),
    'as userId in a multipart form': asMultipart({ userId: id }),
    'as user.id in JSON': asJson({ user: { id, userId: id } }),
    'nested in data or variables in JSON': asJson({ data: nested, variables }),
    'under rarer names in JSON': asJson(rare),
  }
  const others: Readonly<Record<string, BackendRequest>> = {
    // The route need not support the other method; where it does, the same rule applies.
    ...(method === 'POST' && { 'under every name in the query, by GET': { query: all, method: 'GET' } }),
    'under every name in the query': { query: all },
    'under rarer names in the query': { query: rare },
    // A reader that takes one of two may take the one that no other reader has seen.
    'as the second userId in the query': { query: [own, id].map((value) => ['userId', value] as const) },
    'as the first userId in the query': { query: [id, own].map((value) => ['userId', value] as const) },
    'in cookies': { headers: [['cookie', cookiesNamed([...names, ...rareNames], encodeURIComponent(id))]] },
    'at the end of the path': { path: (usual) => `${usual}/${encodeURIComponent(id)}` },
    'in headers of gateways and of impersonation': {
      headers: headersNamed([...userHeaders, ...rareUserHeaders, ...actingHeaders], id),
    },
    ...Object.fromEntries(
      [...names, ...actingNames].map((name) => [`as "${name}" in the query`, { query: { [name]: id } }]),
    ),
    ...Object.fromEntries(
      singleHeaders.map((name) => [`in the header ${name}`, { headers: headersNamed([name], id) }]),
    ),
  }
  return [
    ...Object.entries(bodies).map(([name, body]) => ({
      name: method === 'GET' ? `${name}, by POST` : name,
      request: { body, method: 'POST' as const },
    })),
    ...Object.entries(others).map(([name, request]) => ({ name, request })),
  ]
}
