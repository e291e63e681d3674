import { isIP } from 'node:net'
import type { NoAnswer, Reply } from '../../src/base/http/client.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { MintRequest } from '../../src/roles/mint/driver.ts'

const origin = 'https://foreign.example'

export default defineCheck({
  id: 'MINT-20',
  role: 'mint',
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
  mints: 9,
  needs: ['mint'],
  async run(parts, judge) {
    const { mint, newUser } = parts
    const outcomes = await Promise.all(createMalformedRequests(newUser).map((one) => outcomeOf(parts, one)))
    judge.observe('mint.oddRequests', Object.fromEntries(outcomes.map(({ name, text }) => [name, text])))
    await judgeOrigins(parts, judge)

    const { protocol, hostname } = new URL(mint.endpoint)
    judge.advisory(protocol === 'https:' || isLoopback(hostname), {
      saw: `a mint endpoint with ${protocol}// off loopback`,
      expected: 'https',
      fix: 'Serve the mint over TLS only.',
    })
    const reply = await askTwice(parts, { followRedirects: true })
    if (reply.kind === 'no-answer') return judge.lost(describeSilence(reply), [reply.exchange])
    if (mint.issuedBy(reply) === null) return
    const crashed = outcomes.filter(({ hasCrashed }) => hasCrashed)
    judge.advisory(crashed.length === 0, {
      saw: `status 500 for a request with ${crashed.map(({ name }) => name).join(', ')}, and a token for an ordinary one behind it`,
      expected: 'a rejection with a 4xx status',
      fix: 'Check the form of the body before it is used.',
      evidence: crashed.map(({ exchange }) => exchange),
    })
    const cacheControl = headerOf(reply.headers, 'cache-control')
    judge.advisory(/\bno-store\b/i.test(cacheControl ?? ''), {
      saw:
        cacheControl === undefined
          ? 'a token in a response without Cache-Control'
          : `a token in a response with Cache-Control: ${cacheControl}`,
      expected: 'Cache-Control: no-store',
      fix: 'Answer with Cache-Control: no-store.',
      evidence: [reply.exchange],
    })
  },
})

interface MalformedRequest {
  readonly name: string
  readonly request: MintRequest
}

interface Outcome {
  readonly name: string
  readonly text: string
  readonly hasCrashed: boolean
  readonly exchange: string
}

function createMalformedRequests(newUser: () => string): MalformedRequest[] {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']
  const body = () => JSON.stringify({ userId: newUser() })
  return [
    ...methods.map((method) => ({ name: method, request: { method } })),
    { name: 'text/plain', request: { contentType: 'text/plain', body: body() } },
    {
      name: 'JSON with a charset',
      request: { contentType: 'application/json; charset=utf-8', body: body() },
    },
    {
      name: 'a form',
      request: { contentType: 'application/x-www-form-urlencoded', body: `userId=${newUser()}` },
    },
    { name: 'no body', request: { body: null } },
    { name: 'an empty body', request: { body: '' } },
    { name: 'malformed JSON', request: { body: '{"userId":' } },
    { name: 'a JSON array', request: { body: [] } },
    { name: 'an unknown field', request: { body: { userId: newUser(), colour: 'green' } } },
    { name: 'an id of 10,000 characters', request: { userId: newUser().padEnd(10_000, 'x') } },
    { name: 'an id in Unicode', request: { userId: `${newUser()}-日本-🦊` } },
  ]
}

async function outcomeOf(
  { mint }: CheckContext<'mint'>,
  { name, request }: MalformedRequest,
): Promise<Outcome> {
  const reply = await mint.request({ ...request, case: `a request with ${name}` })
  const { exchange } = reply
  if (reply.kind === 'no-answer') return { name, text: reply.message, hasCrashed: false, exchange }
  const text = `status ${reply.status}, ${mint.issuedBy(reply) === null ? 'no token' : 'a token'}`
  return { name, text, hasCrashed: reply.status === 500, exchange }
}

/** An ordinary request: a mint that other checks keep busy may be late for the first. */
async function askTwice({ mint }: CheckContext<'mint'>, request: MintRequest): Promise<Reply> {
  const first = await mint.request(request)
  return isLate(first) ? await mint.request(request) : first
}

function isLate(reply: Reply): reply is NoAnswer {
  return reply.kind === 'no-answer' && reply.failure === 'timeout'
}

async function judgeOrigins(parts: CheckContext<'mint'>, judge: Judge): Promise<void> {
  const { mint } = parts
  const from = ['origin', origin] as const
  const preflight: MintRequest['headers'] = [
    from,
    ['access-control-request-method', 'POST'],
    ['access-control-request-headers', 'authorization,content-type'],
  ]
  const replies = await Promise.all([
    askTwice(parts, { headers: [from] }),
    mint.request({ method: 'OPTIONS', key: null, body: null, headers: preflight }),
  ])
  const [plain] = replies
  // A firewall may break off what comes from a foreign origin.
  if (isLate(plain)) judge.lost(describeSilence(plain), [plain.exchange])
  const allowing = replies.filter(allowsForeignOrigin)
  judge.advisory(allowing.length === 0, {
    saw: 'a response that allows any origin (Access-Control-Allow-Origin)',
    expected: 'no CORS headers on a server-to-server endpoint (4.1)',
    fix: 'Remove CORS from the mint endpoint.',
    evidence: allowing.map(({ exchange }) => exchange),
  })
}

function describeSilence({ message }: Pick<NoAnswer, 'message'>): string {
  return `the mint ${message}, asked for a token`
}

function allowsForeignOrigin(reply: Reply): boolean {
  const allowed = reply.kind === 'answer' ? headerOf(reply.headers, 'access-control-allow-origin') : undefined
  return allowed === '*' || allowed === origin
}

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) === 0) return /(^|\.)localhost$/i.test(address)
  return address === '::1' || address.startsWith('127.')
}
