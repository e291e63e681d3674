import { randomUUID } from 'node:crypto'
import type { Answer } from '../../base/http/client.ts'
import { mintProbeSeconds } from '../../base/times.ts'
import { mintContract } from '../../contract/mint.ts'
import type { MintConfiguration } from '../../roles/mint/configuration.ts'
import { anyUserId } from '../../roles/mint/user-ids.ts'
import { isWebPage, type Probing } from './probe.ts'
import type { Problem } from './problem.ts'

/** Paths at which an implementation may have its mint by mistake, which the requirements judge. */
const likelyPaths = [
  '/calling/token',
  '/v1/calling/token',
  '/api/calling/token',
  '/api/v2/calling/token',
  '/api/v1/token',
  '/api/v1/calling/tokens',
  '/api/v1/calling/mint',
  '/token',
  '/mint',
]

/** Decides whether a 404 means a wrong `mint.url`, or a mint at a wrong path, which is judged (null). Probes have no key. */
export async function explainMissingMint(
  mint: MintConfiguration,
  answer: Answer,
  { configuration, http }: Probing,
): Promise<Problem | null> {
  const backend = configuration.backend && addressOf(configuration.backend.url)
  const deadlineMs = Math.min(configuration.limits.requestSeconds, mintProbeSeconds) * 1000
  const status = async (url: string, method: 'POST' | 'GET'): Promise<number | null> => {
    const post = method === 'POST'
    const reply = await http.send({
      to: 'mint',
      method,
      url,
      headers: post ? [['content-type', 'application/json']] : [],
      body: post
        ? JSON.stringify({ userId: anyUserId(mint.userIds, 'tt-preflight'), ttlSeconds: 60 })
        : undefined,
      deadlineMs,
    })
    return reply.kind === 'answer' ? reply.status : null
  }
  /** Says whether something is at this path: its answer is not 404, and differs from that of a random path. */
  const exists = async (prefix: string, path: string, method: 'POST' | 'GET'): Promise<boolean> => {
    if (addressOf(prefix + path) === backend) return false
    const [seen, random] = await Promise.all([
      status(prefix + path, method),
      status(`${prefix}/${randomUUID()}`, method),
    ])
    return seen !== null && random !== null && seen !== 404 && seen !== random
  }
  const found = (places: readonly { prefix: string; path: string }[]) =>
    Promise.all(
      places.map(async (place) => ((await exists(place.prefix, place.path, 'POST')) ? [place] : [])),
    )

  const above = prefixesAbove(mint.url)
  const places = [mint.url, ...above].flatMap((prefix) => likelyPaths.map((path) => ({ prefix, path })))
  const [elsewhere, siblings, byGet] = await Promise.all([
    found(above.map((prefix) => ({ prefix, path: mintContract.path }))),
    found(places.filter(({ prefix, path }) => prefix + path !== mint.url + mintContract.path)),
    exists(mint.url, mintContract.path, 'GET'),
  ])
  const url = mint.url + mintContract.path
  const [better] = elsewhere.flat()
  if (better !== undefined)
    return problem(
      `${url} returned 404, but ${better.prefix}${mintContract.path} exists: set mint.url to ${better.prefix}`,
    )
  if (byGet || siblings.flat().length > 0) return null
  const what = isWebPage(answer) ? '404 with a web page' : '404'
  return problem(
    `${url} returned ${what}, as did all similar addresses: correct mint.url; the suite appends ${mintContract.path}`,
  )
}

function problem(message: string): Problem {
  return { part: 'mint', kind: 'url', message, fatal: true }
}

function prefixesAbove(base: string): string[] {
  const { origin, pathname } = new URL(base)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  return segments.map((_, index) => [origin, ...segments.slice(0, index)].join('/'))
}

function addressOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
