import { headerOf } from '../../src/base/http/headers.ts'
import { isLoopbackName } from '../../src/base/http/requested-address.ts'
import { attack, type Case } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { MintRequest } from '../../src/roles/mint/driver.ts'
import { isSilent } from '../backend/lib/describe-reply.ts'

interface Odd extends Case {
  readonly request: MintRequest
  /** A page of another site sends it. */
  readonly isForeign?: true
}

const origin = 'https://foreign.example'
const preflight = [
  ['origin', origin],
  ['access-control-request-method', 'POST'],
  ['access-control-request-headers', 'authorization,content-type'],
] as const

export default defineCheck({
  id: 'MINT-20',
  level: 'INFO',
  kind: 'positive',
  clauses: ['2.2'],
  title: 'records handling of malformed requests',
  why: 'CORS headers invite apps to hold the key; a token that caches may store, or that travels over plain http, can be stolen.',
  how: {
    does: [
      'Sends other methods, other content types, malformed JSON, an id of 10,000 characters and one in Unicode, and records the responses.',
    ],
    warns: [
      'A response that allows any origin (CORS).',
      'Plain http off loopback.',
      'A token without Cache-Control: no-store.',
      'Status 500 for one of these requests, while ordinary ones are served.',
    ],
  },
  mints: 11,
  needs: ['mint'],
  async run({ mint, newUser }, judge) {
    const { protocol, hostname } = new URL(mint.endpoint)
    judge.advisory(protocol === 'https:' || isLoopbackName(hostname), {
      saw: `a mint endpoint with ${protocol}// off loopback`,
      expected: 'https',
      fix: 'Serve the mint over TLS only.',
    })
    const allowsForeign = (allowed: string | undefined) => allowed === '*' || allowed === origin
    await attack(judge, {
      // A mint that other checks keep busy may be late for the first.
      control: () => mint.token(newUser()),
      cases: createOddRequests(newUser),
      of: 'for',
      async send({ name, request, isForeign }) {
        const reply = await mint.request({ ...request, case: name })
        // A firewall may break off what comes from a foreign origin.
        const isUndecided = isForeign === true && isSilent(reply)
        return { reply, isUndecided, evidence: [reply.exchange] }
      },
      breaches: [
        {
          level: 'advisory',
          saw: ({ reply }, { isForeign }) =>
            isForeign !== true && reply.kind === 'answer' && reply.status === 500 ? 'status 500' : null,
          expected: 'a rejection with a 4xx status',
          fix: 'Check the form of the body before it is used.',
        },
        {
          level: 'advisory',
          saw: ({ reply }) =>
            reply.kind === 'answer' && allowsForeign(headerOf(reply.headers, 'access-control-allow-origin'))
              ? 'a response that allows any origin (Access-Control-Allow-Origin)'
              : null,
          expected: 'no CORS headers on a server-to-server endpoint (4.1)',
          fix: 'Remove CORS from the mint endpoint.',
        },
        {
          level: 'advisory',
          saw({ reply }, { isForeign }) {
            if (isForeign || reply.kind === 'no-answer' || mint.issuedBy(reply) === null) return null
            const stated = headerOf(reply.headers, 'cache-control')
            if (/\bno-store\b/i.test(stated ?? '')) return null
            return `a token in a response with ${stated === undefined ? 'no Cache-Control' : `Cache-Control: ${stated}`}`
          },
          expected: 'Cache-Control: no-store',
          fix: 'Answer with Cache-Control: no-store.',
        },
      ],
      judgeAll(tried) {
        const described = tried
          .filter(({ one }) => one.isForeign !== true)
          .map(({ one, seen: { reply } }) => [
            one.name,
            reply.kind === 'no-answer'
              ? reply.message
              : `status ${reply.status}, ${mint.issuedBy(reply) === null ? 'no token' : 'a token'}`,
          ])
        judge.observe('mint.oddRequests', Object.fromEntries(described))
      },
    })
  },
})

function createOddRequests(newUser: () => string): Odd[] {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']
  const body = () => JSON.stringify({ userId: newUser() })
  const odd: Readonly<Record<string, MintRequest>> = {
    'text/plain': { contentType: 'text/plain', body: body() },
    'JSON with a charset': { contentType: 'application/json; charset=utf-8', body: body() },
    'a form': { contentType: 'application/x-www-form-urlencoded', body: `userId=${newUser()}` },
    'no body': { body: null },
    'an empty body': { body: '' },
    'malformed JSON': { body: '{"userId":' },
    'a JSON array': { body: [] },
    'an unknown field': { body: { userId: newUser(), colour: 'green' } },
    'an id of 10,000 characters': { userId: newUser().padEnd(10_000, 'x') },
    'an id in Unicode': { userId: `${newUser()}-日本-🦊` },
    'an ordinary request': { followRedirects: true },
  }
  return [
    ...methods.map((method) => ({ name: method, request: { method } })),
    ...Object.entries(odd).map(([name, request]) => ({ name, request })),
    { name: 'a page of another site', isForeign: true, request: { headers: [['origin', origin]] } },
    {
      name: 'its preflight',
      isForeign: true,
      request: { method: 'OPTIONS', key: null, body: null, headers: preflight },
    },
  ]
}
