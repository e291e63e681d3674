import { defineCheck } from '../../src/requirement/define.ts'
import { noToken, rejectRequests, type WrongRequest } from './lib/reject-requests.ts'

export const names = [
  'api_key',
  'apiKey',
  'apikey',
  'api-key',
  'x-api-key',
  'key',
  'token',
  'access_token',
  'auth',
  'bearer',
  'authorization',
] as const
const headerNames = [
  'x-api-key',
  'api-key',
  'apikey',
  'x-apikey',
  'x-auth-token',
  'x-access-token',
  'x-token',
] as const

export default defineCheck({
  id: 'MINT-06',
  role: 'mint',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['2.2', '5.2'],
  basis: 'The key is required in the Authorization header, as a bearer, and goes there only (2.2, 5.2).',
  title: 'accepts the API key only in an Authorization: Bearer header',
  why: 'Keys in URLs, bodies and cookies leak into logs, browser histories and other sites.',
  how: {
    does: [
      'Between two controls, sends the valid key without a Bearer header: in the query, in a body of JSON, a form or a multipart form, in a cookie, in other headers, and with the Basic scheme; under every usual name at once, and under one name a request.',
    ],
    fails: ['A token.'],
  },
  mints: 2,
  needs: ['mint'],
  async run(parts, judge) {
    const cases = misplaceKey(parts.mint.apiKey, parts.newUser)
    await rejectRequests(parts, judge, cases, [
      noToken('5.2', 'Read the API key from Authorization: Bearer only.'),
    ])
  },
})

function misplaceKey(key: string, newUser: () => string): WrongRequest[] {
  const without = (name: string, request: WrongRequest['request']) => ({
    name,
    request: { key: null, ...request },
  })
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
  const everyName = Object.fromEntries(names.map((name) => [name, key]))
  return [
    without('the key in the query under every name', { query: everyName }),
    without('the key in the body under every name', { body: { userId: newUser(), ...everyName } }),
    // A strict schema rejects a request for the names that it does not know.
    ...names.flatMap((name) => [
      without(`the key in the query as ${name}`, { query: { [name]: key } }),
      without(`the key in the body as ${name}`, { body: { userId: newUser(), [name]: key } }),
      without(`the key in a form as ${name}`, {
        contentType: 'application/x-www-form-urlencoded',
        body: new URLSearchParams({ userId: newUser(), [name]: key }).toString(),
      }),
      without(`the key in a cookie as ${name}`, { headers: [['cookie', `${name}=${key}`]] }),
    ]),
    without('the key with its scheme in the body', {
      body: { userId: newUser(), authorization: `Bearer ${key}` },
    }),
    without('the key in a form under every name', {
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({ userId: newUser(), ...everyName }).toString(),
    }),
    without('the key in a multipart form', {
      contentType: `multipart/form-data; boundary=${boundary}`,
      body: multipart({ userId: newUser(), ...everyName }),
    }),
    without('the key in a cookie under every name', {
      headers: [['cookie', names.map((name) => `${name}=${key}`).join('; ')]],
    }),
    ...headerNames.map((header) => without(`the key in the header ${header}`, { headers: [[header, key]] })),
    ...['x-api-key', 'x-authorization', 'proxy-authorization'].map((header) =>
      without(`the key with its scheme in the header ${header}`, { headers: [[header, `Bearer ${key}`]] }),
    ),
    without('the key as the whole Basic credential', { authorization: basic(key) }),
    without('the key as the Basic password without a user', { authorization: basic(`:${key}`) }),
    without('the key as the Basic user', { authorization: basic(`${key}:`) }),
    without('the key as the Basic password', { authorization: basic(`api:${key}`) }),
  ]
}

const boundary = 'twotoken-form'

function multipart(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${boundary}--\r\n`
}
