import { defineCheck } from '../../src/requirement/define.ts'
import type { MintRequest } from '../../src/roles/mint/driver.ts'
import { asForm, asMultipart, cookiesNamed, fieldsNamed, headersNamed } from '../backend/lib/bodies.ts'
import { noToken, rejectRequests, type WrongRequest } from './lib/reject-requests.ts'

export const names =
  'api_key apiKey apikey api-key x-api-key key token access_token auth bearer authorization'.split(' ')
const headerNames = 'x-api-key api-key apikey x-apikey x-auth-token x-access-token x-token'.split(' ')

export default defineCheck({
  id: 'MINT-06',
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
  const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
  const sent = ({ text: body, contentType }: ReturnType<typeof asForm>): MintRequest => ({
    body,
    contentType,
  })
  const under = (some: readonly string[], how: string): Record<string, MintRequest> => {
    const fields = fieldsNamed(some, key)
    return {
      [`the key in the query ${how}`]: { query: fields },
      [`the key in the body ${how}`]: { body: { userId: newUser(), ...fields } },
      [`the key in a form ${how}`]: sent(asForm({ userId: newUser(), ...fields })),
      [`the key in a cookie ${how}`]: { headers: [['cookie', cookiesNamed(some, key)]] },
    }
  }
  const places: Readonly<Record<string, MintRequest>> = {
    ...under(names, 'under every name'),
    // A strict schema rejects a request for the names that it does not know.
    ...Object.assign({}, ...names.map((name) => under([name], `as ${name}`))),
    'the key with its scheme in the body': { body: { userId: newUser(), authorization: `Bearer ${key}` } },
    'the key in a multipart form': sent(asMultipart({ userId: newUser(), ...fieldsNamed(names, key) })),
    'the key as the whole Basic credential': basic(key),
    'the key as the Basic password without a user': basic(`:${key}`),
    'the key as the Basic user': basic(`${key}:`),
    'the key as the Basic password': basic(`api:${key}`),
  }
  const headers = [
    ...headersNamed(headerNames, key),
    ...headersNamed(['x-api-key', 'x-authorization', 'proxy-authorization'], `Bearer ${key}`),
  ]
  return [
    ...Object.entries(places).map(([name, request]) => ({ name, request: { key: null, ...request } })),
    ...headers.map(([name, value]) => ({
      name: `the key ${value === key ? '' : 'with its scheme '}in the header ${name}`,
      request: { key: null, headers: [[name, value] as const] },
    })),
  ]
}
