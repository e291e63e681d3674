import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { z } from 'zod'
import { TwotokenError } from '../base/errors.ts'
import type { HttpClient } from '../base/http/client.ts'
import { parsedJson } from '../base/http/incoming.ts'

const providerState = z.looseObject({
  name: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
})

const interaction = z.looseObject({
  type: z.string().default('Synchronous/HTTP'),
  description: z.string(),
  pending: z.boolean().default(false),
  providerStates: z.array(providerState).default([]),
  /** Pact 2 has one state, and no parameters. */
  providerState: z.string().nullish(),
  comments: z.looseObject({ references: z.record(z.string(), z.unknown()).optional() }).optional(),
  request: z.looseObject({ method: z.string(), path: z.string().default('/') }).optional(),
  response: z.looseObject({ status: z.number().default(200) }).optional(),
})

const pactFile = z.looseObject({
  consumer: z.looseObject({ name: z.string() }),
  provider: z.looseObject({ name: z.string() }),
  interactions: z.array(interaction).default([]),
  messages: z.array(z.unknown()).default([]),
})

export type PactInteraction = z.infer<typeof interaction>
export type PactState = z.infer<typeof providerState>

export interface PactFile {
  /** The file or address that it was read from, for messages. */
  readonly source: string
  readonly consumer: string
  readonly provider: string
  readonly interactions: readonly PactInteraction[]
  readonly content: Readonly<Record<string, unknown>>
  /** Where the broker accepts the verdict on it. */
  readonly publishUrl?: string | undefined
  /** The broker says that its consumer's main branch has never been verified: a failure of it does not count. */
  readonly pending?: boolean
}

/** Reads one pact of version 2 to 4; throws `usage` where it is none, or has interactions other than HTTP. */
export function parsePact(text: string, source: string): PactFile {
  const json = parsedJson(text)
  if (json === undefined) throw new TwotokenError('usage', `${source} is not JSON; use a pact file`)
  const result = pactFile.safeParse(json)
  if (!result.success) {
    const [issue] = result.error.issues
    const place = issue === undefined || issue.path.length === 0 ? 'its top level' : issue.path.join('.')
    throw new TwotokenError(
      'usage',
      `${source} is JSON, but not a pact: ${place} is invalid; use a pact file of version 2 to 4`,
    )
  }
  const { consumer, provider, interactions, messages } = result.data
  const other = interactions.find(({ type, request, response }) => {
    return type !== 'Synchronous/HTTP' || request === undefined || response === undefined
  })
  if (messages.length > 0 || other !== undefined)
    throw new TwotokenError('usage', `${source} contains messages; use a pact with HTTP interactions only`)
  return {
    source,
    consumer: consumer.name,
    provider: provider.name,
    interactions: interactions.map(withStates),
    content: result.data,
  }
}

function withStates(given: PactInteraction): PactInteraction {
  if (typeof given.providerState !== 'string' || given.providerStates.length > 0) return given
  return { ...given, providerStates: [{ name: given.providerState, params: {} }] }
}

/** Reads the pacts at a file, a folder or an http(s) address; throws `usage` or `precondition` where there is none. */
export async function readPacts(place: string, http: HttpClient): Promise<PactFile[]> {
  if (/^https?:\/\//i.test(place)) {
    const { origin, pathname } = new URL(place)
    return [parsePact(await fetchText(place, http), origin + pathname)]
  }
  const found = await stat(place).catch((cause: unknown) => {
    throw new TwotokenError('usage', `${place} does not exist; use a pact file or a folder of them`, cause)
  })
  if (!found.isDirectory()) return [parsePact(await readFile(place, 'utf8'), place)]
  const names = (await readdir(place)).filter((name) => name.endsWith('.json')).toSorted()
  if (names.length === 0)
    throw new TwotokenError('precondition', `nothing was verified: ${place} contains no pact file`)
  return Promise.all(
    names.map(async (name) => parsePact(await readFile(join(place, name), 'utf8'), join(place, name))),
  )
}

/** Those of one provider; throws `usage` where all are of others. */
export function selectProvider(provider: string, pacts: readonly PactFile[]): PactFile[] {
  const own = pacts.filter((pact) => pact.provider === provider)
  if (own.length > 0) return own
  const others = [...new Set(pacts.map((pact) => pact.provider))].join(', ')
  const sources = pacts.map(({ source }) => source).join(', ')
  throw new TwotokenError(
    'usage',
    `${sources} is for the provider ${others}, not for ${provider}; expected a pact of ${provider}, or --provider ${others}`,
  )
}

async function fetchText(url: string, http: HttpClient): Promise<string> {
  const reply = await http.send({ to: 'listener', method: 'GET', url, headers: [], followRedirects: true })
  if (reply.kind === 'answer' && reply.status === 200) return reply.body
  const came = reply.kind === 'no-answer' ? reply.message : `answered ${reply.status}`
  throw new TwotokenError('precondition', `${new URL(url).origin} ${came}; expected a pact at this address`)
}

/** The contracts that are part of the package: from the sources, or from `dist`. */
export const ownPactsFolder = join(
  import.meta.dirname,
  extname(import.meta.filename) === '.ts' ? '../..' : '../../..',
  'contracts/pacts',
)
