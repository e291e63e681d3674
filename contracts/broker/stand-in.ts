import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Published {
  readonly consumer: string
  readonly provider: string
  readonly consumerVersion: string
  readonly branch: string
  readonly pact: Readonly<Record<string, unknown>>
  results: { readonly success: boolean; readonly providerApplicationVersion: string }[]
}

export interface StandIn extends AsyncDisposable {
  readonly url: string
  readonly token: string
  readonly contracts: readonly Published[]
  /** Deployed versions, each as "NAME VERSION in ENVIRONMENT". */
  readonly deployments: readonly string[]
  /** Bodies of the requests for pacts to verify. */
  readonly selections: readonly Readonly<Record<string, unknown>>[]
}

/**
 * A simulated Pact Broker: the few resources of its documented HTTP API that publishing, verifying,
 * `can-i-deploy` and `record-deployment` use. Every pact counts as pending until it was verified once.
 */
export async function startStandIn(): Promise<StandIn> {
  const token = 'stand-in-token'
  const contracts: Published[] = []
  const deployments: string[] = []
  const selections: Record<string, unknown>[] = []
  let url = ''

  const routes: readonly [string, RegExp, (given: Given) => Answer][] = [
    ['GET', /^\/$/, () => [200, { _links: linksOf(url) }]],
    ['POST', /^\/contracts\/publish$/, ({ body }) => [200, publish(body, contracts, url)]],
    [
      'POST',
      /^\/for-verification\/(.+)$/,
      ({ body, found: [provider] }) => {
        selections.push(body)
        return [200, { _embedded: { pacts: listed(contracts, provider, url) }, _links: {} }]
      },
    ],
    ['GET', /^\/pacts\/(\d+)$/, ({ found: [index] }) => pactAt(contracts, Number(index), url)],
    [
      'POST',
      /^\/pacts\/(\d+)\/results$/,
      ({ body, found: [index] }) => {
        const { success, providerApplicationVersion } = body
        const result = {
          success: success === true,
          providerApplicationVersion: String(providerApplicationVersion),
        }
        contracts[Number(index)]?.results.push(result)
        return [201, {}]
      },
    ],
    ['PUT', /^\/pacticipants\/[^/]+\/branches\/[^/]+\/versions\/[^/]+$/, () => [200, {}]],
    ['GET', /^\/matrix$/, ({ query }) => [200, matrix(contracts, query)]],
    [
      'GET',
      /^\/pacticipants\/([^/]+)\/versions\/([^/]+)$/,
      ({ found: [name = '', version = ''] }) => {
        const href = `${url}/deployments/${name}/${version}/production`
        return [200, { number: version, _links: { 'pb:record-deployment': [{ name: 'production', href }] } }]
      },
    ],
    [
      'POST',
      /^\/deployments\/([^/]+)\/([^/]+)\/([^/]+)$/,
      ({ found: [name, version, environment] }) => {
        deployments.push(`${name} ${version} in ${environment}`)
        return [201, {}]
      },
    ],
  ]

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const target = new URL(request.url ?? '/', url)
    const text = Buffer.concat(chunks).toString('utf8')
    const answer = (): Answer => {
      if (request.headers.authorization !== `Bearer ${token}`) return [401, {}]
      for (const [method, path, handle] of routes) {
        const match = path.exec(decodeURIComponent(target.pathname))
        if (method !== request.method || match === null) continue
        return handle({
          body: text === '' ? {} : JSON.parse(text),
          query: target.searchParams,
          found: match.slice(1),
        })
      }
      return [404, {}]
    }
    const [status, value] = answer()
    response.writeHead(status, { 'content-type': 'application/hal+json' }).end(JSON.stringify(value))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    token,
    contracts,
    deployments,
    selections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

interface Given {
  readonly body: Record<string, unknown>
  readonly query: URLSearchParams
  readonly found: readonly string[]
}
type Answer = readonly [status: number, value: unknown]

function linksOf(url: string) {
  return {
    self: { href: url },
    'pb:publish-contracts': { href: `${url}/contracts/publish` },
    'pb:provider-pacts-for-verification': { href: `${url}/for-verification/{provider}`, templated: true },
  }
}

function publish(body: Record<string, unknown>, contracts: Published[], url: string) {
  for (const given of body['contracts'] as Record<string, string>[])
    contracts.push({
      consumer: given['consumerName'] ?? '',
      provider: given['providerName'] ?? '',
      consumerVersion: String(body['pacticipantVersionNumber']),
      branch: String(body['branch']),
      pact: JSON.parse(Buffer.from(given['content'] ?? '', 'base64').toString('utf8')),
      results: [],
    })
  const links = contracts.map((_, index) => ({ href: `${url}/pacts/${index}` }))
  return { notices: [{ type: 'success', text: 'Published.' }], _links: { 'pb:contracts': links } }
}

function listed(contracts: readonly Published[], provider: string | undefined, url: string) {
  return contracts.flatMap((contract, index) =>
    contract.provider === provider
      ? [
          {
            verificationProperties: { pending: contract.results.length === 0 },
            _links: { self: { href: `${url}/pacts/${index}` } },
          },
        ]
      : [],
  )
}

function pactAt(contracts: readonly Published[], index: number, url: string): Answer {
  const contract = contracts[index]
  if (contract === undefined) return [404, {}]
  const links = { 'pb:publish-verification-results': { href: `${url}/pacts/${index}/results` } }
  return [200, { ...contract.pact, _links: links }]
}

/** Deployable where every pact of the consumer was verified, and its last result is a success. */
function matrix(contracts: readonly Published[], query: URLSearchParams) {
  const own = contracts.filter(({ consumer }) => consumer === query.get('q[][pacticipant]'))
  const last = own.map(({ results }) => results.at(-1)?.success)
  const count = (wanted: boolean | undefined) => last.filter((success) => success === wanted).length
  const deployable = own.length > 0 && count(true) === own.length
  const reason = deployable ? 'every result is a success' : 'a result is missing or a failure'
  return {
    summary: { deployable, reason, success: count(true), failed: count(false), unknown: count(undefined) },
    notices: [{ type: deployable ? 'success' : 'error', text: reason }],
    matrix: [],
  }
}
