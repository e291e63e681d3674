import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { MintRequest } from '../../src/roles/mint/driver.ts'

/** A request that two readers may understand in two ways; its name completes "a request with …". */
interface Ambiguous {
  readonly name: string
  readonly request: MintRequest
  /** The id that a second reader finds; absent where only the response is recorded. */
  readonly second?: string
}

export default defineCheck({
  id: 'MINT-22',
  role: 'mint',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: ['2.2'],
  title: 'rejects requests that can be read in two ways',
  why: 'A gateway that checks the first userId in front of a mint that takes the second one checks nothing.',
  how: 'Sends the valid key and a made-up one in repeated Authorization headers, userId twice in one body (also in another case, in the query, and in headers such as X-User-Id), method override headers, and a JSON body of another content type, and records the responses. A token for the second of two userIds warns. Which user a token is for is read from its claims; where they cannot be read, it is recorded only.',
  mints: 5,
  needs: ['mint'],
  async run({ mint, newUser, randomBytes }, judge) {
    await mint.token(newUser())
    const outcomes = await Promise.all(
      createAmbiguous(mint.apiKey, `ac_live_${randomBytes(16).toString('hex')}`, newUser).map(async (one) => {
        const reply = await mint.request({ followRedirects: true, case: one.name, ...one.request })
        const jwt = mint.issuedBy(reply)
        return { ...one, reply, jwt, read: jwt === null ? null : readToken(jwt) }
      }),
    )
    judge.observe(
      'mint.ambiguousRequests',
      Object.fromEntries(
        outcomes.map(({ name, reply, jwt }) => [
          name,
          reply.kind === 'no-answer'
            ? reply.message
            : `status ${reply.status}, ${jwt === null ? 'no token' : 'a token'}`,
        ]),
      ),
    )
    for (const { name, reply, read, second } of outcomes) {
      if (second === undefined) continue
      if (read !== null && read.claims === null) {
        judge.onlyObserved('the claims of the token cannot be read')
        continue
      }
      judge.advisory(read === null || mint.pathsHolding(read, second).length === 0, {
        saw: `a token for the second userId of a request with ${name}`,
        expected: 'a rejection, as two readers may understand it in two ways',
        fix: 'Read the userId from the body only, and reject a body that names it twice.',
        evidence: [reply.exchange],
      })
    }
  },
  catches: {
    'takes the last of two userIds': { mint: { fields: ({ body }) => JSON.parse(body ?? '{}') }, as: 'warn' },
    'takes a userId in another case': {
      mint: {
        fields: ({ body }) => {
          const fields: Record<string, unknown> = JSON.parse(body ?? '{}')
          return Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [
              name.toLowerCase() === 'userid' ? 'userId' : name,
              value,
            ]),
          )
        },
      },
      as: 'warn',
    },
    'prefers the userId of a header': {
      mint: {
        fields: ({ headers, body }) => {
          const fields: Record<string, unknown> = JSON.parse(body ?? '{}')
          return { ...fields, userId: headers['x-user-id'] ?? fields['userId'] }
        },
      },
      as: 'warn',
    },
    'prefers the userId of the query': {
      mint: {
        fields: ({ url, body }) => ({
          ...JSON.parse(body ?? '{}'),
          ...Object.fromEntries(url.searchParams),
        }),
      },
      as: 'warn',
    },
  },
})

/** By which gateways tell services whom they have authenticated, and frameworks name users. */
const userHeaders = ['X-User-Id', 'X-User', 'X-UserId', 'X-Forwarded-User', 'X-Auth-User', 'X-Remote-User']

function createAmbiguous(apiKey: string, wrong: string, newUser: () => string): Ambiguous[] {
  const authorization = (key: string) => ['authorization', `Bearer ${key}`] as const
  const body = () => JSON.stringify({ userId: newUser() })
  const twice = (name: string, write: (first: string, second: string) => MintRequest): Ambiguous => {
    const second = newUser()
    return { name, second, request: write(newUser(), second) }
  }
  const pair = (one: string, other: string) => (first: string, second: string) => ({
    body: `{${JSON.stringify(one)}:${JSON.stringify(first)},${JSON.stringify(other)}:${JSON.stringify(second)}}`,
  })
  return [
    {
      name: 'a made-up key before the valid one',
      request: { key: null, headers: [authorization(wrong), authorization(apiKey)] },
    },
    {
      name: 'a made-up key after the valid one',
      request: { key: null, headers: [authorization(apiKey), authorization(wrong)] },
    },
    twice('userId twice in the body', pair('userId', 'userId')),
    twice('userId in another case after userId', pair('userId', 'UserId')),
    twice('userId in the body and another in the query', (first, second) => ({
      userId: first,
      query: { userId: second },
    })),
    twice('userId in the body and another in headers', (first, second) => ({
      userId: first,
      headers: userHeaders.map((name) => [name, second] as const),
    })),
    ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((header) => ({
      name: `POST by ${header}`,
      request: { method: 'PUT', body: body(), headers: [[header, 'POST'] as const] },
    })),
    { name: 'JSON as text/plain', request: { contentType: 'text/plain', body: body() } },
    {
      name: 'JSON as a form',
      request: { contentType: 'application/x-www-form-urlencoded', body: body() },
    },
    { name: 'JSON as multipart', request: { contentType: 'multipart/form-data; boundary=x', body: body() } },
  ]
}
