import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import type { HttpClient } from '../base/http/client.ts'
import { type PactFile, parsePact } from './pact-file.ts'
import type { Shape } from './provider.ts'

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
  if (reply.kind === 'no-answer')
    throw new TwotokenError(
      'precondition',
      `${new URL(url).origin} ${reply.message}; expected a pact at this address`,
    )
  if (reply.status !== 200)
    throw new TwotokenError(
      'precondition',
      `${new URL(url).origin} answered ${reply.status}; expected a pact at this address`,
    )
  return reply.body
}

/** The contracts that are part of the package: from the sources, or from `dist`. */
export const ownPactsFolder = join(
  import.meta.dirname,
  extname(import.meta.filename) === '.ts' ? '../..' : '../../..',
  'contracts/pacts',
)

const consumerByShape = /^backend-(token|jwt|json-string|bare-text)$/

/** Keeps the contract with the given shape, of those that differ only in the body shape of the mint. */
export function selectByShape(pacts: readonly PactFile[], shape: Shape): readonly PactFile[] {
  const shaped = pacts.filter(({ consumer }) => consumerByShape.test(consumer))
  if (shaped.length < 2) return pacts
  const wanted = `backend-${typeof shape === 'object' || shape === 'unknown' ? 'token' : shape}`
  return pacts.filter(({ consumer }) => !consumerByShape.test(consumer) || consumer === wanted)
}
