import type { Reply } from '../../src/base/http/client.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { fewAtOnce, inBatches } from '../../src/requirement/in-batches.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import type { ScriptedMint } from '../../src/roles/mint/double.ts'
import { askPastCache } from './lib/ask-past-cache.ts'
import { isOverload } from './lib/describe-reply.ts'
import { findMintedUser } from './lib/find-minted-user.ts'
import { learnTokenUser, tokensTellNoUser } from './lib/read-token-user.ts'
import { rareUserHeaders, userHeaders } from './lib/user-headers.ts'
import { watchQuiet } from './lib/watch-quiet.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

const names = ['userId', 'user_id', 'uid', 'id', 'sub'] as const
/** Sent one by one in JSON, too. */
const otherNames = ['identity', 'callerId', 'account_id'] as const
/** By which those who support users act for them. */
const actingNames = ['as', 'impersonate'] as const
/** Sent together. */
const rareNames = [
  ...otherNames,
  ...actingNames,
  ...[
    'accountId',
    'account',
    'customerId',
    'memberId',
    'username',
    'user',
    'login',
    'email',
    'caller',
    'from',
  ],
  ...[
    'as_user',
    'asUser',
    'act_as',
    'actAs',
    'on_behalf_of',
    'impersonatedUserId',
    'targetUserId',
    'externalId',
    'peerId',
    'participantId',
  ],
]

const actingHeaders = ['X-Impersonate-User', 'Impersonate-User', 'X-Act-As', 'X-On-Behalf-Of', 'X-Account-Id']

export default defineCheck({
  id: 'BACK-04',
  role: 'backend',
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
    untested: ['A place whose request met a rate limit, a gateway error or no response, alone as well.'],
  },
  mints: 41,
  needs: ['backend', 'bob'],
  async run(parts, judge) {
    const mintDouble = parts.available('mintDouble')
    if (mintDouble === undefined) await judgeTokens(parts, judge)
    else await mintDouble.scripted((double) => judgeMintCalls(parts, double, judge))
  },
  catches: {
    ...Object.fromEntries(
      names.flatMap((name) => [
        [
          `prefers ${name} of the JSON body`,
          { backend: { userId: prefer(({ body }) => fieldOf(body, name)) } },
        ],
        [
          `prefers ${name} of the query`,
          { backend: { userId: prefer(({ url }) => url.searchParams.get(name)) } },
        ],
      ]),
    ),
    'prefers userId of the JSON body, and cannot be pointed at the mint double': {
      backend: { userId: prefer(({ body }) => fieldOf(body, 'userId')) },
      withoutDouble: true,
    },
    'prefers uid of the query, and cannot be pointed at the mint double': {
      backend: { userId: prefer(({ url }) => url.searchParams.get('uid')) },
      withoutDouble: true,
    },
    'prefers the query by the other method alone': {
      backend: {
        userId: ({ userId }, { method, url }) =>
          (method === 'GET' ? url.searchParams.get('userId') : null) ?? userId,
      },
    },
    'prefers the body by the other method alone': {
      backend: {
        userId: ({ userId }, { method, body }) =>
          (method === 'POST' ? fieldOf(body, 'userId') : null) ?? userId,
      },
      configuration: { backend: { method: 'GET' } },
    },
    'prefers the userId of the form': {
      backend: { userId: prefer(({ body }) => new URLSearchParams(body).get('userId')) },
    },
    'prefers the sub of the form': {
      backend: { userId: prefer(({ body }) => new URLSearchParams(body).get('sub')) },
    },
    'prefers the nested user of the JSON body': {
      backend: { userId: prefer(({ body }) => fieldOf(JSON.stringify(parsed(body)['user']), 'id')) },
    },
    'prefers the userId of a cookie': {
      backend: {
        userId: prefer(({ headers }) => /\buserId=([^;]+)/.exec(headers['cookie'] ?? '')?.[1] ?? null),
      },
    },
    'prefers the user of a cookie': {
      backend: {
        userId: prefer(({ headers }) => /\buser=([^;]+)/.exec(headers['cookie'] ?? '')?.[1] ?? null),
      },
    },
    'prefers the userId of a multipart form': {
      backend: {
        userId: prefer(({ body }) => /name="userId"\r\n\r\n([^\r]+)/.exec(body)?.[1] ?? null),
      },
    },
    'prefers the last of two parameters': {
      backend: {
        userId: prefer(({ url }) => {
          const all = url.searchParams.getAll('userId')
          return all.length > 1 ? (all.at(-1) ?? null) : null
        }),
      },
    },
    'prefers the first of two parameters': {
      backend: {
        userId: prefer(({ url }) => {
          const all = url.searchParams.getAll('userId')
          return all.length > 1 ? (all[0] ?? null) : null
        }),
      },
    },
    'prefers the end of the path': {
      backend: {
        isTokenRoute: ({ pathname }, path) => pathname === path || pathname.startsWith(`${path}/`),
        userId: prefer(({ url }) => decodeURIComponent(url.pathname.split('/')[3] ?? '') || null),
      },
    },
    'prefers the header X-User-Id': {
      backend: { userId: prefer(({ headers }) => headers['x-user-id'] ?? null) },
    },
    ...Object.fromEntries(
      otherNames.map((name) => [
        `prefers ${name} of the JSON body`,
        { backend: { userId: prefer(({ body }) => fieldOf(body, name)) } },
      ]),
    ),
    ...Object.fromEntries(
      actingNames.map((name) => [
        `acts for the user that the query names as ${name}`,
        { backend: { userId: prefer(({ url }) => url.searchParams.get(name)) } },
      ]),
    ),
    'prefers the attributes of a JSON:API document': {
      backend: {
        userId: prefer(({ body }) => {
          const { attributes } = parsed(JSON.stringify(parsed(body)['data'] ?? null))
          return fieldOf(JSON.stringify(attributes ?? null), 'userId')
        }),
      },
    },
    'prefers the variables of a GraphQL body': {
      backend: {
        userId: prefer(({ body }) => fieldOf(JSON.stringify(parsed(body)['variables'] ?? null), 'userId')),
      },
    },
    'prefers the as_user of the query': {
      backend: { userId: prefer(({ url }) => url.searchParams.get('as_user')) },
    },
    'prefers the accountId of the query': {
      backend: { userId: prefer(({ url }) => url.searchParams.get('accountId')) },
    },
    'prefers the header X-Original-User': {
      backend: { userId: prefer(({ headers }) => headers['x-original-user'] ?? null) },
    },
    'prefers a header of its gateway': {
      backend: { userId: prefer(({ headers }) => headers['x-consumer-custom-id'] ?? null) },
    },
    'prefers the header X-Act-As': {
      backend: { userId: prefer(({ headers }) => headers['x-act-as'] ?? null) },
    },
    'takes a body that names one user only': {
      backend: {
        userId: prefer(({ body }) =>
          Object.keys(parsed(body)).length === 1 ? fieldOf(body, 'userId') : null,
        ),
      },
    },
    'takes the query along to where it redirects': {
      backend: {
        isTokenRoute: ({ pathname }, path) => pathname === `${path}/`,
        userId: prefer(({ url }) => url.searchParams.get('userId')),
        answer: (usual, { url }) =>
          url.pathname === '/calling/token'
            ? { status: 308, headers: { location: `/calling/token/${url.search}` }, body: '' }
            : usual,
      },
    },
    'prefers userId of the JSON body, and mints for another id than the file names': {
      backend: { userId: ({ userId }, { body }) => `usr_${fieldOf(body, 'userId') ?? userId}` },
    },
    'mints for both users': {
      backend: {
        callingToken: async ({ body }, { authenticate, mint }) => {
          const { userId } = await authenticate()
          await mint(fieldOf(body, 'userId') ?? userId)
          return mint(userId)
        },
      },
    },
    'joins both ids': {
      backend: { userId: ({ userId }, { body }) => userId + (fieldOf(body, 'userId') ?? '') },
    },
  },
})

type Parts = CheckContext<'backend' | 'bob'>

/** The backend's answer to a request that named another user. */
interface Outcome {
  readonly place: string
  readonly reply: Reply
  readonly jwt: string | null
}

async function sendAttacks({ backend, bob }: Parts): Promise<Outcome[]> {
  const stated: Attack[] = backend.statesUser
    ? [{ place: 'where the app states its own', request: { userId: bob.userId } }]
    : []
  const attacks = [...stated, ...attacksNaming(bob.userId, backend.alice.userId, backend.method)]
  // Where the route redirects, the final response counts.
  const send = async ({ place, request }: Attack): Promise<Outcome> => {
    const reply = await backend.request({ ...request, followRedirects: true, case: `another id ${place}` })
    return { place, reply, jwt: backend.tokenOf(reply) }
  }
  return await inBatches(attacks, fewAtOnce, send)
}

/** An overload decides nothing: the mint may never have been called for the request. */
function judgeUndecided(outcomes: readonly Outcome[], judge: Judge): void {
  const undecided = outcomes.filter(({ jwt, reply }) => jwt === null && isOverload(reply))
  if (undecided.length > 0)
    judge.undecided(
      `a rate limit, a gateway error or no response for an id ${listNames(undecided.map(({ place }) => place))}`,
      undecided.map(({ reply }) => reply.exchange),
    )
}

function observeRefused(outcomes: readonly Outcome[], judge: Judge): void {
  judge.observe(
    'refused',
    outcomes.filter(({ jwt }) => jwt === null).map(({ place }) => place),
  )
}

const expected = "mint calls for the session's user only (4.2.2)"
const fix = 'Take the userId from the validated session and ignore the request.'

async function judgeMintCalls(parts: Parts, double: ScriptedMint, judge: Judge): Promise<void> {
  const { backend, bob, clock } = parts
  const { alice } = backend
  double.lifetime(shortLifetime)
  // From here on, a token that the backend caches for alice is known to be hers.
  const { reply: ordinary } = await askPastCache(parts, double)
  // Without a token her id would be unknown, and each of her calls one for another user.
  const usual = backend.tokenOf(ordinary) ?? (await backend.token()).jwt
  const minted = findMintedUser(double, usual)
  // The file may name another id than the backend mints for her: FLOW-02 judges that.
  const ownId = minted === null || minted === bob.userId ? alice.userId : minted
  if (ownId !== alice.userId) judge.observe('backend.mintsOtherIdThanConfigured', true)
  const own = new Set(await watchQuiet(double, clock))
  let isStable = true
  await judge.sandwich(
    async () => {
      const user = findMintedUser(double, (await backend.token()).jwt)
      if (user !== null && user !== ownId) isStable = false
    },
    async () => {
      // A new id for each call is judged by BACK-05: here only the named one shows that the request counts.
      const isOther = (user: string) => user !== ownId && (isStable || holds(user, bob.userId))
      const before = double.calls().length
      const outcomes = (await sendAttacks(parts)).map((outcome) => ({
        ...outcome,
        mintedFor: outcome.jwt === null ? null : findMintedUser(double, outcome.jwt),
      }))
      const affected = outcomes.filter(({ mintedFor: user }) => user !== null && isOther(user))
      const returned = new Set(affected.map(({ mintedFor }) => mintedFor))
      // An id that was neither named nor returned is one of a health probe or a listener, which BACK-03 judges.
      const forOthers = double
        .calls()
        .slice(before)
        .filter(
          ({ userId: user }) =>
            user !== null &&
            user !== ownId &&
            !own.has(user) &&
            (returned.has(user) || holds(user, bob.userId)),
        )
      // A call whose request was not answered may be a late one of another request: it is judged once more, then.
      const unanswered = outcomes.filter(({ reply }) => reply.kind === 'no-answer')
      const places =
        affected.length === 0 ? 'at one of the tried places' : listNames(affected.map(({ place }) => place))
      judge.must(forOthers.length === 0 && affected.length === 0, {
        saw: `${forOthers.length === 0 ? "another user's token" : `mint calls for ${listNames([...new Set(forOthers.map(showUser(bob.userId)))])}`} when the request names an id ${places}`,
        expected,
        fix,
        evidence: [
          ...(affected.length === 0 ? unanswered : affected).map(({ reply }) => reply.exchange),
          ...forOthers.map(({ exchange }) => exchange),
        ],
      })
      const unseen = outcomes.filter(({ jwt, mintedFor: user }) => jwt !== null && user === null)
      if (unseen.length > 0)
        judge.untested(
          `the backend answered from a cache, so its mint calls could not be inspected for an id ${listNames(unseen.map(({ place }) => place))}`,
        )
      judgeUndecided(outcomes, judge)
      observeRefused(outcomes, judge)
    },
  )
}

/** Without the mint double: whom the returned tokens name. */
async function judgeTokens(parts: Parts, judge: Judge): Promise<void> {
  const { backend } = parts
  const readUser = await learnTokenUser(parts)
  const usual = await backend.token()
  const own = readUser?.(usual.jwt) ?? null
  if (readUser === null || own === null) return judge.untested(tokensTellNoUser)
  const known = new Set([usual.jwt])
  await judge.sandwich(
    async () => known.add((await backend.token()).jwt),
    async () => {
      const outcomes = await sendAttacks(parts)
      const affected = outcomes.filter(({ jwt }) => jwt !== null && (readUser(jwt) ?? own) !== own)
      judge.must(affected.length === 0, {
        saw: `another user's token when the request names an id ${listNames(affected.map(({ place }) => place))}`,
        expected,
        fix,
        evidence: affected.map(({ reply }) => reply.exchange),
      })
      const cached = outcomes.filter(({ jwt }) => jwt !== null && known.has(jwt))
      if (cached.length > 0)
        judge.untested(
          `the backend answered with a token from its cache, which shows nothing about an id ${listNames(cached.map(({ place }) => place))}`,
        )
      judgeUndecided(outcomes, judge)
      observeRefused(outcomes, judge)
    },
  )
}

/** A short id is a part of others by chance. */
function holds(user: string, named: string): boolean {
  return user === named || (named.length > 3 && user.includes(named))
}

interface Attack {
  /** Completes "named …". */
  readonly place: string
  readonly request: BackendRequest
}

/** One name at a time, since a backend may reject unknown fields; and all at once. */
function attacksNaming(id: string, own: string, method: 'POST' | 'GET'): Attack[] {
  const json = (value: object) => ({ text: JSON.stringify(value), contentType: 'application/json' })
  const form = (fields: Readonly<Record<string, string>>) => ({
    text: new URLSearchParams(fields).toString(),
    contentType: 'application/x-www-form-urlencoded',
  })
  const multipart = (fields: Readonly<Record<string, string>>) => ({
    text: [
      ...Object.entries(fields).map(
        ([name, value]) => `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      '--part--\r\n',
    ].join(''),
    contentType: 'multipart/form-data; boundary=part',
  })
  const twice = (values: readonly string[]) => values.map((value) => ['userId', value] as const)
  const all = Object.fromEntries(names.map((name) => [name, id]))
  const underRareNames = Object.fromEntries(rareNames.map((name) => [name, id]))
  const bodies: Attack[] = [
    ...names.flatMap((name) => [
      { place: `as ${name} in JSON`, request: { body: json({ [name]: id }) } },
      { place: `as ${name} in a form`, request: { body: form({ [name]: id }) } },
    ]),
    { place: 'under every name in JSON', request: { body: json(all) } },
    { place: 'under every name in a form', request: { body: form(all) } },
    { place: 'as userId in a multipart form', request: { body: multipart({ userId: id }) } },
    { place: 'as user.id in JSON', request: { body: json({ user: { id, userId: id } }) } },
    {
      place: 'nested in data or variables in JSON',
      request: {
        body: json({
          data: { type: 'tokens', id, userId: id, attributes: { userId: id, user_id: id } },
          variables: { userId: id, input: { userId: id } },
        }),
      },
    },
    ...otherNames.map((name) => ({ place: `as ${name} in JSON`, request: { body: json({ [name]: id }) } })),
    { place: 'under rarer names in JSON', request: { body: json(underRareNames) } },
  ]
  // The route need not support the other method; where it does, the same rule applies.
  const byOther: Attack[] =
    method === 'GET'
      ? bodies.map(({ place, request }) => ({
          place: `${place}, by POST`,
          request: { ...request, method: 'POST' },
        }))
      : [{ place: 'under every name in the query, by GET', request: { query: all, method: 'GET' } }]
  return [
    ...(method === 'GET' ? [] : bodies),
    ...byOther,
    ...names.map((name) => ({ place: `as ${name} in the query`, request: { query: { [name]: id } } })),
    { place: 'under every name in the query', request: { query: all } },
    ...actingNames.map((name) => ({
      place: `as "${name}" in the query`,
      request: { query: { [name]: id } },
    })),
    { place: 'under rarer names in the query', request: { query: underRareNames } },
    // A reader that takes one of two may take the one that no other reader has seen.
    { place: 'as the second userId in the query', request: { query: twice([own, id]) } },
    { place: 'as the first userId in the query', request: { query: twice([id, own]) } },
    {
      place: 'in cookies',
      request: {
        headers: [
          ['cookie', [...names, ...rareNames].map((name) => `${name}=${encodeURIComponent(id)}`).join('; ')],
        ],
      },
    },
    {
      place: 'at the end of the path',
      request: { path: (usual: string) => `${usual}/${encodeURIComponent(id)}` },
    },
    ...['X-User-Id', 'X-User', 'X-Forwarded-User', 'X-Original-User'].map((name) => ({
      place: `in the header ${name}`,
      request: { headers: [[name, id] as const] },
    })),
    {
      place: 'in headers of gateways and of impersonation',
      request: {
        headers: [...userHeaders, ...rareUserHeaders, ...actingHeaders].map((name) => [name, id] as const),
      },
    },
  ]
}

function showUser(other: string): (call: { readonly userId: string | null }) => string {
  return ({ userId }) => (userId === other ? 'the named user' : 'an id of neither user')
}

function listNames(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}

interface Inbound {
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** A careless backend: `named ?? session.userId`. */
function prefer(named: (request: Inbound) => string | null) {
  return (session: { readonly userId: string }, request: Inbound) => named(request) ?? session.userId
}

function fieldOf(body: string, name: string): string | null {
  const value = parsed(body)[name]
  return typeof value === 'string' ? value : null
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
