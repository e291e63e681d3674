import { z } from 'zod'
import { TwotokenError } from '../base/errors.ts'
import type { Answer, HttpClient } from '../base/http/client.ts'
import type { Headers } from '../base/http/headers.ts'
import { type PactFile, parsePact } from './pact-file.ts'

export interface Selection {
  readonly provider: string
  readonly selectors: readonly Readonly<Record<string, unknown>>[]
  /** Failures of pacts that no provider version has satisfied yet do not count. */
  readonly enablePending: boolean
  readonly providerBranch?: string | undefined
}

export interface Publication {
  readonly success: boolean
  readonly providerVersion: string
  readonly providerBranch?: string | undefined
  readonly buildUrl?: string | undefined
  readonly testResults: readonly { readonly id: string; readonly verdict: string }[]
}

const links = z.looseObject({ _links: z.record(z.string(), z.unknown()).default({}) })
const forVerification = z.looseObject({
  _embedded: z
    .looseObject({
      pacts: z
        .array(
          z.looseObject({
            verificationProperties: z.looseObject({ pending: z.boolean().optional() }).optional(),
            _links: z.record(z.string(), z.unknown()).default({}),
          }),
        )
        .default([]),
    })
    .default({ pacts: [] }),
})
const oneLink = z.looseObject({ href: z.string() })

/** A client of the Pact Broker's HTTP API (HAL): every address but the first is one that the broker gave. */
export function createBroker(url: string, token: string | undefined, http: HttpClient) {
  const origin = new URL(url).origin
  const authorization: Headers = token === undefined ? [] : [['authorization', `Bearer ${token}`]]

  const refused = (what: string) => new TwotokenError('precondition', `the broker at ${origin} ${what}`)
  const ask = async (address: string, method = 'GET', value?: unknown): Promise<Answer> => {
    const { origin: linked } = new URL(address)
    if (linked !== origin)
      throw refused(
        `links to ${linked}; expected links of its own: use the address under which it links to itself, or correct its base URL`,
      )
    const reply = await http.send({
      to: 'listener',
      method,
      url: address,
      headers: [
        ['accept', 'application/hal+json, application/json'],
        ...(value === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...authorization,
      ],
      body: value === undefined ? undefined : JSON.stringify(value),
      followRedirects: true,
    })
    if (reply.kind === 'no-answer')
      throw refused(`${reply.message}; expected the address of a running Pact Broker`)
    if (reply.status === 401 || reply.status === 403)
      throw refused(`answered ${reply.status}; expected a broker token with this permission`)
    if (reply.status < 200 || reply.status > 299)
      throw refused(
        `answered ${reply.status} to ${method} ${new URL(address).pathname}; expected a Pact Broker`,
      )
    return reply
  }

  return {
    async pacts({ provider, selectors, enablePending, providerBranch }: Selection): Promise<PactFile[]> {
      const index = await ask(url)
      const link = findHref(index.json, 'pb:provider-pacts-for-verification')
      if (link === null)
        throw refused('has no pb:provider-pacts-for-verification link; use the address of a Pact Broker')
      const answer = await ask(
        new URL(link.replace('{provider}', encodeURIComponent(provider)), url).href,
        'POST',
        {
          consumerVersionSelectors: selectors,
          includePendingStatus: enablePending,
          providerVersionBranch: providerBranch,
        },
      )
      const found = forVerification.safeParse(answer.json)
      const listed = found.success ? found.data._embedded.pacts : []
      if (listed.length === 0)
        throw new TwotokenError(
          'precondition',
          `nothing was verified: the broker at ${origin} has no pact for ${provider}: check --provider and --selector`,
        )
      return Promise.all(
        listed.map(async (entry): Promise<PactFile> => {
          const address = new URL(findHref(entry, 'self') ?? '', url).href
          const pact = await ask(address)
          const publishUrl = findHref(pact.json, 'pb:publish-verification-results')
          return {
            ...parsePact(pact.body, address),
            pending: enablePending && entry.verificationProperties?.pending === true,
            publishUrl: publishUrl === null ? undefined : new URL(publishUrl, url).href,
          }
        }),
      )
    },
    async publish(
      pact: PactFile,
      { success, providerVersion, providerBranch, buildUrl, testResults }: Publication,
    ) {
      if (pact.publishUrl === undefined)
        throw new TwotokenError(
          'precondition',
          `the broker accepts no results for ${pact.source}: publish only pacts that were fetched from it`,
        )
      if (providerBranch !== undefined) {
        const version = `${encodeURIComponent(pact.provider)}/branches/${encodeURIComponent(providerBranch)}`
        const address = `${url.replace(/\/$/, '')}/pacticipants/${version}/versions/${encodeURIComponent(providerVersion)}`
        await ask(address, 'PUT', {})
      }
      await ask(pact.publishUrl, 'POST', {
        success,
        providerApplicationVersion: providerVersion,
        verifiedBy: { implementation: 'twotoken' },
        testResults,
        buildUrl,
      })
    },
  }
}

export type Broker = ReturnType<typeof createBroker>

function findHref(value: unknown, relation: string): string | null {
  const found = links.safeParse(value)
  const link = found.success ? found.data._links[relation] : undefined
  const parsed = oneLink.safeParse(Array.isArray(link) ? link[0] : link)
  return parsed.success ? parsed.data.href : null
}
