import { findSecret } from '../../src/base/evidence/find-secret.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import type { StrayRequest } from '../../src/roles/mint/second-origin.ts'
import { answeredFromCache, askPastCache, explainNoCall } from './lib/ask-past-cache.ts'
import { hostIn } from './lib/host-in-call.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { isLoopback } from './lib/name-other-host.ts'
import { fieldsOf } from './lib/variant-fields.ts'
import { mintAt } from './lib/variant-mint-base.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

type Header = readonly [name: string, value: string]

/** A request that names another host than the backend's own. */
interface Naming {
  /** Completes "a request with …". */
  readonly name: string
  readonly request: BackendRequest
  /** Sent one by one where the request with all of them is rejected, or leads the backend away. */
  readonly single?: readonly Naming[]
}

export default defineCheck({
  id: 'BACK-24',
  role: 'backend',
  level: 'MUST',
  kind: 'positive',
  clauses: ['5.2'],
  basis: 'The API key goes to the mint endpoint only (5.2).',
  standards: ['OWASP ASVS 5.0, 4.1.3', 'RFC 9700, 4.13'],
  title: 'sends no API key to hosts that requests name',
  why: 'A backend that builds the address of the mint from Host or X-Forwarded-Host sends its API key to any client that names a host.',
  how: {
    does: [
      "Between two controls, a signed-in user's requests name a second origin of the suite: in X-Forwarded-Host, Forwarded, X-Original-Host, Origin and similar headers, in Host, as a request target in absolute form, and in fields of the query and of a JSON body that are called as an address usually is.",
      'Headers and fields are sent together; one by one where the backend rejects them together or calls that origin.',
      'A rejection, and links to that host in a response, are right.',
    ],
    fails: ['The API key in a request to that origin.'],
    warns: ['A request of the backend to that origin without the key, or a connection without a request.'],
    untested: [
      'A mint double off loopback, where the backend calls neither the double nor that origin.',
      'A backend that answers from a cache.',
      'A request that met a rate limit or no response.',
    ],
  },
  mints: 8,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      await using other = await double.openSecondOrigin()
      const usual = await askPastCache(parts, double)
      const [call] = usual.calls
      if (call === undefined) {
        if (backend.tokenOf(usual.reply) === null)
          throw new ControlLost(explainNoCall(backend, usual.reply), [usual.reply.exchange])
        judge.untested(answeredFromCache)
        return
      }
      const address = `${hostIn(call)}:${other.port}`
      const scheme = other.isSecure ? 'https' : 'http'
      const isReached = isLoopback(hostIn(call))
      await judge.sandwich(
        () => backend.token(),
        async () => {
          for (const naming of nameHost(address, scheme, backend.method)) await tryNaming(naming)
        },
      )

      async function tryNaming({ name, request, single = [] }: Naming): Promise<void> {
        const before = other.requests().length
        const connected = other.connections()
        const { reply, calls } = await askPastCache(parts, double, { ...request, case: name })
        const arrived = other.requests().slice(before)
        const isDecided = arrived.length > 0 || calls.length > 0
        // A firewall may reject one of the headers, and a finding names the one that counts.
        if (single.length > 0 && (arrived.length > 0 || !isDecided)) {
          const found = other.requests().length
          for (const one of single) await tryNaming(one)
          // None of them alone: together they count.
          if (other.requests().length === found && arrived.length > 0) judgeArrived(name, reply, arrived)
          return
        }
        if (isDecided) judgeArrived(name, reply, arrived)
        else if (other.connections() > connected) judgeConnected(name, reply)
        else judgeWithoutCall(name, reply)
        if (backend.tokenOf(reply) === null) await backend.token()
      }

      /** A client that expects TLS sends nothing to a server without. */
      function judgeConnected(name: string, { exchange }: Reply): void {
        judge.advisory(false, {
          case: name,
          saw: `a connection of the backend to another origin, which a request with ${name} named`,
          expected: 'no connection to a host that only a client names',
          fix: 'Take the addresses that the backend calls from the configuration.',
          evidence: [exchange],
        })
      }

      function judgeWithoutCall(name: string, reply: Reply): void {
        const isRejected = reply.kind === 'answer' && reply.status >= 300 && reply.status <= 499
        if (backend.tokenOf(reply) !== null) judge.untested(answeredFromCache)
        else if (leaveUndecided(judge, reply, `for a request with ${name}`)) return
        else if (reply.kind === 'answer' && reply.status === 429)
          judge.undecided(`a rate limit for a request with ${name}`, [reply.exchange])
        else if (isReached || isRejected) judge.passed()
        else
          judge.untested(
            `no mint call for a request with ${name}, and the second origin on port ${other.port} cannot be shown to be reachable from the backend`,
          )
      }

      function judgeArrived(name: string, reply: Reply, arrived: readonly StrayRequest[]): void {
        const withKey = arrived.filter(({ text }) => findSecret(text, mintDouble.apiKey) !== null)
        const evidence = [reply.exchange, ...arrived.map(({ exchange }) => exchange)]
        judge.must(withKey.length === 0, {
          case: name,
          saw: `the API key in a request to another origin, which a request with ${name} named`,
          expected: 'the key at the mint endpoint only (5.2)',
          fix: 'Take the address of the mint from the configuration alone, never from a request.',
          evidence,
          isShown: true,
        })
        judge.advisory(arrived.length === 0 || withKey.length > 0, {
          case: name,
          saw: `a request of the backend to another origin, which a request with ${name} named`,
          expected: 'no request to a host that only a client names',
          fix: 'Take the addresses that the backend calls from the configuration.',
          evidence,
        })
      }
    })
  },
  catches: {
    'builds the address of the mint from X-Forwarded-Host': {
      backend: mintAt(({ headers }) => atHost(headers['x-forwarded-host'])),
    },
    'builds the address of the mint from X-Forwarded-Host and X-Forwarded-Proto': {
      backend: mintAt(({ headers }) =>
        headers['x-forwarded-proto'] === undefined ? undefined : atHost(headers['x-forwarded-host']),
      ),
    },
    'builds the address of the mint from Forwarded': {
      backend: mintAt(({ headers }) => atHost(hostOfForwarded(headers['forwarded']))),
    },
    'builds the address of the mint from X-Original-Host': {
      backend: mintAt(({ headers }) => atHost(headers['x-original-host'])),
    },
    'builds the address of the mint from X-Host, behind a firewall that rejects X-Forwarded-Host': {
      backend: {
        ...mintAt(({ headers }) => atHost(headers['x-host'])),
        callingToken: async ({ headers }, { authenticate, mint, userId }) => {
          if (headers['x-forwarded-host'] !== undefined) throw new Error('blocked')
          return await mint(userId(await authenticate()))
        },
      },
    },
    'mints at the origin of the page': { backend: mintAt(({ headers }) => headers['origin']) },
    'has a mint for each Host': {
      backend: mintAt(({ headers, url }) =>
        headers['host'] === url.host && url.pathname === '/calling/token'
          ? undefined
          : atHost(headers['host']),
      ),
    },
    'builds the address of the mint from an absolute target': {
      backend: mintAt(({ url, headers }) => (url.host === headers['host'] ? undefined : url.origin)),
    },
    'mints where a field of the query says': {
      backend: mintAt(({ url }) => url.searchParams.get('mint') ?? undefined),
    },
    'mints at the host of a field of the query': {
      backend: mintAt(({ url }) => atHost(url.searchParams.get('host') ?? undefined)),
    },
    'mints where a field of the body says': {
      backend: mintAt(({ body }) => fieldsOf(body)['apiUrl'] as string | undefined),
    },
    'mints where the one field says that it admits': {
      backend: {
        ...mintAt(({ url }) => url.searchParams.get('endpoint') ?? undefined),
        callingToken: async ({ url }, { authenticate, mint, userId }) => {
          if ([...url.searchParams.keys()].some((name) => name !== 'endpoint'))
            throw new Error('unknown field')
          return await mint(userId(await authenticate()))
        },
      },
    },
    'trusts no certificate of the host in X-Forwarded-Host': {
      backend: mintAt(({ headers }) => atHost(headers['x-forwarded-host'], 'https'), { verifies: true }),
      as: 'warn',
    },
    'builds an address with https from X-Forwarded-Host': {
      backend: mintAt(({ headers }) => atHost(headers['x-forwarded-host'], 'https')),
    },
    'asks the named host for its health first, without the key': {
      backend: mintAt(({ headers }) => atHost(headers['x-forwarded-host']), { isWithoutKey: true }),
      as: 'warn',
    },
  },
})

function nameHost(address: string, scheme: string, method: 'POST' | 'GET'): Naming[] {
  const origin = `${scheme}://${address}`
  const headers: Header[] = [
    ...hostHeaders.map((name) => [name, address] as const),
    ['Forwarded', `host="${address}";proto=${scheme}`],
    ['X-Original-URL', `${origin}/calling/token`],
    ['X-Forwarded-URL', `${origin}/calling/token`],
    ['Origin', origin],
    ['Referer', `${origin}/`],
  ]
  return [
    {
      name: 'headers that name another host',
      request: { headers: [...headers, ['X-Forwarded-Proto', scheme]] },
      single: headers.map((header) => ({
        name: header[0],
        request: { headers: [header, ['X-Forwarded-Proto', scheme]] },
      })),
    },
    ...(['query', 'body'] as const).flatMap((place) =>
      place === 'body' && method === 'GET' ? [] : nameInFields(place, { address, origin }),
    ),
    { name: 'another Host', request: { headers: [['Host', address]], newConnection: true } },
    {
      name: 'a target in absolute form',
      request: { absoluteTarget: origin, newConnection: true },
    },
  ]
}

function nameInFields(
  place: 'query' | 'body',
  { address, origin }: { readonly address: string; readonly origin: string },
): Naming {
  const fields = Object.fromEntries([
    ...addressFields.map((name) => [name, origin]),
    ...hostFields.map((name) => [name, address]),
  ])
  const requestWith = (given: Record<string, string>): BackendRequest =>
    place === 'query'
      ? { query: given }
      : { body: { text: JSON.stringify(given), contentType: 'application/json' } }
  return {
    name: `fields of the ${place} that name another host`,
    request: requestWith(fields),
    single: usualFields.map((name) => ({
      name: `${name} in the ${place}`,
      request: requestWith({ [name]: fields[name] ?? origin }),
    })),
  }
}

const addressFields = [
  ...['mint', 'mintUrl', 'mint_url', 'url', 'api', 'apiUrl', 'api_url', 'apiBase', 'baseUrl', 'base_url'],
  ...['endpoint', 'service', 'target', 'upstream', 'callingUrl', 'callback', 'redirect_uri'],
]
const hostFields = ['host', 'hostname', 'mintHost', 'apiHost', 'server', 'domain']
/** Those that a backend which admits no other field is asked for. */
const usualFields = ['mint', 'mintUrl', 'url', 'apiUrl', 'baseUrl', 'endpoint', 'host', 'server']

const hostHeaders = [
  'X-Forwarded-Host',
  'X-Original-Host',
  'X-Host',
  'X-Forwarded-Server',
  'X-HTTP-Host-Override',
  'X-Backend-Host',
] as const

function atHost(host: string | undefined, scheme = 'http'): string | undefined {
  return host === undefined ? undefined : `${scheme}://${host}`
}

function hostOfForwarded(forwarded = ''): string | undefined {
  const [, host] = forwarded.split('host="')
  return host?.split('"')[0]
}
