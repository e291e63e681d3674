import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { type Case, inBatches, judgeCases } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import { answeredFromCache, askPastCache, explainNoCall } from './lib/ask-past-cache.ts'
import { asJson, fieldsNamed, headersNamed } from './lib/bodies.ts'
import { isSilent } from './lib/describe-reply.ts'
import { hostIn, isLoopback } from './lib/name-other-host.ts'
import { scriptShortLived } from './lib/with-short-lived-tokens.ts'

interface Naming extends Case {
  readonly request: BackendRequest
  /** Sent one by one where the request with all of them is rejected, or leads the backend away. */
  readonly single?: readonly Naming[]
}

export default defineCheck({
  id: 'BACK-24',
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
    ],
  },
  mints: 8,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    await scriptShortLived(mintDouble, async (double) => {
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
      const send = async ({ name, request }: Naming) => {
        const [before, connected] = [other.requests().length, other.connections()]
        const { reply, calls } = await askPastCache(parts, double, { ...request, case: name })
        const arrived = other.requests().slice(before)
        const hasToken = backend.tokenOf(reply) !== null
        if (!hasToken) await backend.token()
        const isDecided = arrived.length > 0 || calls.length > 0
        const isMet = isDecided || other.connections() > connected
        const isRejected = reply.kind === 'answer' && reply.status >= 300 && reply.status <= 499
        const isLimited = reply.kind === 'answer' && reply.status === 429
        const unreached =
          isReached || isRejected
            ? null
            : `the second origin on port ${other.port} cannot be shown to be reachable from the backend`
        return {
          arrived,
          /** A mint call, or a request to the second origin. */
          isDecided,
          /** A client that expects TLS sends nothing to a server without. */
          isConnected: isMet && !isDecided,
          withKey: arrived.some(({ text }) => findSecret(text, mintDouble.apiKey) !== null),
          isUndecided: !isMet && !hasToken && (isSilent(reply) || isLimited),
          unseen: isMet ? null : hasToken ? answeredFromCache : unreached,
          evidence: [reply.exchange, ...arrived.map(({ exchange }) => exchange)],
        }
      }
      /** A firewall may reject one of several headers, and a finding names the one that counts. */
      const tryNaming = async (one: Naming) => {
        const together = { one, seen: await send(one) }
        const { arrived, isDecided } = together.seen
        if (one.single === undefined || (isDecided && arrived.length === 0)) return [together]
        const alone = await inBatches(one.single, 1, async (single) => ({
          one: single,
          seen: await send(single),
        }))
        // None of them alone: together they count.
        const isFoundAlone = alone.some(({ seen }) => seen.arrived.length > 0)
        return isFoundAlone || arrived.length === 0 ? alone : [...alone, together]
      }
      await judge.sandwich(
        () => backend.token(),
        async () => {
          const tried = await inBatches(nameHost(address, scheme, backend.method), 1, tryNaming)
          judgeCases(judge, 'for a request with', tried.flat(), [
            {
              level: 'must',
              saw: ({ withKey }) =>
                withKey ? 'the API key in a request to another origin that was named' : null,
              expected: 'the key at the mint endpoint only (5.2)',
              fix: 'Take the address of the mint from the configuration alone, never from a request.',
              isShown: true,
            },
            {
              level: 'advisory',
              saw({ arrived, withKey, isConnected }) {
                if (isConnected) return 'a connection of the backend to another origin that was named'
                return arrived.length > 0 && !withKey
                  ? 'a request of the backend to another origin that was named'
                  : null
              },
              expected: 'no request or connection to a host that only a client names',
              fix: 'Take the addresses that the backend calls from the configuration.',
            },
          ])
        },
      )
    })
  },
})

function nameHost(address: string, scheme: string, method: 'POST' | 'GET'): Naming[] {
  const origin = `${scheme}://${address}`
  const proto = ['X-Forwarded-Proto', scheme] as const
  const headers = [
    ...headersNamed(hostHeaders, address),
    ...headersNamed(['Forwarded'], `host="${address}";proto=${scheme}`),
    ...headersNamed(['X-Original-URL', 'X-Forwarded-URL'], `${origin}/calling/token`),
    ...headersNamed(['Origin'], origin),
    ...headersNamed(['Referer'], `${origin}/`),
  ]
  const fields = { ...fieldsNamed(addressFields, origin), ...fieldsNamed(hostFields, address) }
  const inFields = (
    place: string,
    requestWith: (given: Record<string, string>) => BackendRequest,
  ): Naming => ({
    name: `fields of the ${place} that name another host`,
    request: requestWith(fields),
    single: usualFields.map((name) => ({
      name: `${name} in the ${place}`,
      request: requestWith({ [name]: fields[name] ?? origin }),
    })),
  })
  return [
    {
      name: 'headers that name another host',
      request: { headers: [...headers, proto] },
      single: headers.map((header) => ({ name: header[0], request: { headers: [header, proto] } })),
    },
    inFields('query', (query) => ({ query })),
    ...(method === 'GET' ? [] : [inFields('body', (given) => ({ body: asJson(given) }))]),
    { name: 'another Host', request: { headers: [['Host', address]], newConnection: true } },
    { name: 'a target in absolute form', request: { absoluteTarget: origin, newConnection: true } },
  ]
}

const addressFields = [
  ...['mint', 'mintUrl', 'mint_url', 'url', 'api', 'apiUrl', 'api_url', 'apiBase', 'baseUrl', 'base_url'],
  ...['endpoint', 'service', 'target', 'upstream', 'callingUrl', 'callback', 'redirect_uri'],
]
const hostFields = ['host', 'hostname', 'mintHost', 'apiHost', 'server', 'domain']
/** Those that a backend which admits no other field is asked for. */
const usualFields = ['mint', 'mintUrl', 'url', 'apiUrl', 'baseUrl', 'endpoint', 'host', 'server']

const hostHeaders = [
  ...['X-Forwarded-Host', 'X-Original-Host', 'X-Host', 'X-Forwarded-Server'],
  ...['X-HTTP-Host-Override', 'X-Backend-Host'],
]
