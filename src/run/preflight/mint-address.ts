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
  const body = JSON.stringify({ userId: anyUserId(mint.userIds, 'tt-preflight'), ttlSeconds: 60 })
  const json = { headers: [['content-type', 'application/json']], body } as const
  const status = async (url: string, method: 'POST' | 'GET'): Promise<number | null> => {
    const content = method === 'POST' ? json : { headers: [] }
    const reply = await http.send({ to: 'mint', method, url, ...content, deadlineMs })
    return reply.kind === 'answer' ? reply.status : null
  }
  /** Says whether something is at this path: its answer is not 404, and differs from that of a random path. */
  const exists = async (prefix: string, path: string, method: 'POST' | 'GET' = 'POST'): Promise<boolean> => {
    if (addressOf(prefix + path) === backend) return false
    const [seen, random] = await Promise.all([
      status(prefix + path, method),
      status(`${prefix}/${randomUUID()}`, method),
    ])
    return seen !== null && random !== null && seen !== 404 && seen !== random
  }
  const { origin, pathname } = new URL(mint.url)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const above = segments.map((_, index) => [origin, ...segments.slice(0, index)].join('/'))
  const url = mint.url + mintContract.path
  const places = [mint.url, ...above].flatMap((prefix) => likelyPaths.map((path) => ({ prefix, path })))
  const siblings = places.filter(({ prefix, path }) => prefix + path !== url)
  const [elsewhere, ...others] = await Promise.all([
    Promise.all(above.map((prefix) => exists(prefix, mintContract.path))),
    exists(mint.url, mintContract.path, 'GET'),
    ...siblings.map(({ prefix, path }) => exists(prefix, path)),
  ])
  const better = above.find((_, place) => elsewhere[place])
  if (better !== undefined)
    return problem(`${url} returned 404, but ${better}${mintContract.path} exists: set mint.url to ${better}`)
  if (others.includes(true)) return null
  const what = isWebPage(answer) ? '404 with a web page' : '404'
  return problem(
    `${url} returned ${what}, as did all similar addresses: correct mint.url; the suite appends ${mintContract.path}`,
  )
}

function problem(message: string): Problem {
  return { part: 'mint', kind: 'url', message, fatal: true }
}

function addressOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
