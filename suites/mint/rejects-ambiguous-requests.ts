import { readToken } from '../../src/base/tokens/decode.ts'
import { attack, type Case } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { MintRequest } from '../../src/roles/mint/driver.ts'
import { describeReply, isOverload } from '../backend/lib/describe-reply.ts'
import { userHeaders } from '../lib/user-headers.ts'

/** A request that two readers may understand in two ways; its name completes "a request with …". */
interface Ambiguous extends Case {
  readonly request: MintRequest
  /** The ids that readers find; absent where only the response is recorded. */
  readonly named?: readonly [first: string, second: string]
}

export default defineCheck({
  id: 'MINT-22',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.2', '2.1.4'],
  basis: 'One JWT is for one person, the userId of the request (2.1.4, 2.2).',
  title: 'mints for a user whom the request names',
  why: 'A token for a user whom no one named is the token of another person. Which of two names counts matters to a gateway that checks requests in front of the mint.',
  how: {
    does: [
      'Sends the valid key and a made-up one in repeated Authorization headers, userId twice in one body (also in another case, in the query, and in headers such as X-User-Id), method override headers, and a JSON body of another content type, and records the responses.',
      'Records for which of two ids a token is, and other responses, since every parser decides that for itself.',
      'Reads from its claims which user a token is for; where they cannot be read, it is recorded only.',
    ],
    fails: ['A token for a user whom no reading of the request names.'],
  },
  mints: 8,
  needs: ['mint'],
  async run({ mint, newUser, randomBytes }, judge) {
    const userIdPaths = await mint.userIdPaths()
    const holds = (jwt: string | null) => {
      const read = jwt === null ? null : readToken(jwt)
      return (userId: string) => read !== null && mint.pathsHolding(read, userId).length > 0
    }
    await attack(judge, {
      control: () => mint.token(newUser()),
      cases: createAmbiguous(mint.apiKey, `ac_live_${randomBytes(16).toString('hex')}`, newUser),
      of: 'for a request with',
      async send({ name, request }) {
        const reply = await mint.request({ followRedirects: true, case: name, ...request })
        const jwt = mint.issuedBy(reply)
        const isReadable = userIdPaths.length > 0 && readToken(jwt ?? '')?.claims != null
        const isUndecided = jwt === null && isOverload(reply)
        return { reply, jwt, isReadable, isUndecided, evidence: [reply.exchange] }
      },
      breaches: {
        level: 'must',
        saw: ({ jwt, isReadable }, { named }) =>
          named !== undefined && isReadable && !named.some(holds(jwt))
            ? 'a token for neither of the two users'
            : null,
        expected: 'a token for a user whom the request names, or a rejection (2.1.4)',
        fix: 'Read one userId from the body, or reject a body that names it twice.',
      },
      judgeAll(tried) {
        if (tried.some(({ one, seen }) => one.named !== undefined && seen.jwt !== null && !seen.isReadable))
          judge.onlyObserved('the claims of the token cannot be read')
        const described = tried.map(({ one: { name, named }, seen: { reply, jwt } }) => [
          name,
          `${describeReply(reply)}, ${jwt === null ? 'no token' : describeToken(named, holds(jwt))}`,
        ])
        judge.observe('mint.ambiguousRequests', Object.fromEntries(described))
      },
    })
  },
})

function describeToken(named: Ambiguous['named'], isFor: (userId: string) => boolean): string {
  const place = named?.findIndex(isFor) ?? -1
  return place < 0 ? 'a token' : `a token for the ${place === 0 ? 'first' : 'second'} user`
}

function createAmbiguous(apiKey: string, wrong: string, newUser: () => string): Ambiguous[] {
  const keys = (...some: readonly string[]): MintRequest => ({
    key: null,
    headers: some.map((key) => ['authorization', `Bearer ${key}`] as const),
  })
  const body = () => JSON.stringify({ userId: newUser() })
  const pair = (one: string, other: string) => (first: string, second: string) => ({
    body: `{"${one}":${JSON.stringify(first)},"${other}":${JSON.stringify(second)}}`,
  })
  const twice: Readonly<Record<string, (first: string, second: string) => MintRequest>> = {
    'userId twice in the body': pair('userId', 'userId'),
    'userId in another case after userId': pair('userId', 'UserId'),
    'userId in the body and another in the query': (first, second) => ({
      userId: first,
      query: { userId: second },
    }),
    'userId in the body and another in headers': (first, second) => ({
      userId: first,
      headers: userHeaders.map((name) => [name, second] as const),
    }),
  }
  const others: Readonly<Record<string, MintRequest>> = {
    'a made-up key before the valid one': keys(wrong, apiKey),
    'a made-up key after the valid one': keys(apiKey, wrong),
    'JSON as text/plain': { contentType: 'text/plain', body: body() },
    'JSON as a form': { contentType: 'application/x-www-form-urlencoded', body: body() },
    'JSON as multipart': { contentType: 'multipart/form-data; boundary=x', body: body() },
  }
  return [
    ...Object.entries(twice).map(([name, write]) => {
      const named = [newUser(), newUser()] as const
      return { name, named, request: write(...named) }
    }),
    ...Object.entries(others).map(([name, request]) => ({ name, request })),
    ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((header) => ({
      name: `POST by ${header}`,
      request: { method: 'PUT', body: body(), headers: [[header, 'POST'] as const] },
    })),
  ]
}
