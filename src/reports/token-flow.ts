import type { Exchange } from '../base/evidence/exchange.ts'
import { type Credential, type CredentialKind, credentialsIn } from './credentials.ts'
import { type Lane, lanesOf, placesOf, type Stray, straysIn } from './misplaced-credentials.ts'
import type { RunResults } from './results.ts'
import { accepted, bestJourney, isCallingJwt, textSent } from './token-trace.ts'

/** One message of the flow, as it was exchanged. */
export interface Arrow {
  readonly from: Lane
  readonly to: Lane
  /** Milliseconds since the first arrow. */
  readonly at: number
  readonly text: string
  readonly carries: readonly Credential[]
  /** Those of them that this message leaked. */
  readonly leaked: readonly CredentialKind[]
  readonly refused: boolean
  readonly exchange: string
}

type Way = Omit<Arrow, 'leaked'>

/** The same credential on the same wrong way, however often. */
export interface Leak extends Stray {
  readonly requirements: readonly string[]
  readonly exchanges: readonly string[]
}

export interface TokenFlow {
  /** The way of one calling JWT; empty where none was seen. */
  readonly arrows: readonly Arrow[]
  readonly leaks: readonly Leak[]
  /** Who stood in for a lane, where it was not the implementation. */
  readonly playedBy: Readonly<Partial<Record<Lane, string>>>
  /** What passed between backend and mint cannot be seen unless the backend asks the suite's mint double. */
  readonly mintHidden: boolean
}

/** Follows the fingerprints through the exchanges: the flow as it really went, and where a secret left its way. */
export function tokenFlowOf(run: RunResults): TokenFlow {
  const journey = bestJourney(run.exchanges)
  const { minted, fetched, joined } = journey ?? {}
  const steps = [fetched, minted, joined].filter((exchange) => exchange !== undefined)
  const begun = Math.min(...steps.map(({ at }) => at))
  const leaks = leaksOf(run)
  const arrows = [
    ...(fetched === undefined ? [] : [arrowThere(fetched, begun)]),
    ...(minted === undefined ? [] : [arrowThere(minted, begun), arrowBack(minted, begun)]),
    ...(fetched === undefined ? [] : [arrowBack(fetched, begun)]),
    ...(joined === undefined ? [] : [arrowThere(joined, begun), arrowBack(joined, begun)]),
  ]
  const strays = new Map(steps.map((exchange) => [exchange.id, straysIn(exchange)]))
  return {
    arrows: arrows.map((arrow) => ({
      ...arrow,
      carries: arrow.carries.map((credential) => named(credential, journey?.fingerprint)),
      leaked: leakedBy(arrow, strays.get(arrow.exchange) ?? [], leaks),
    })),
    leaks,
    playedBy: playersOf(steps),
    mintHidden: fetched?.to === 'backend' && minted === undefined,
  }
}

/** The token whose way this is, by its own name, also where it was recorded before anybody had read it. */
function named(credential: Credential, fingerprint: string | undefined): Credential {
  const isIt = credential.fingerprint === fingerprint && isCallingJwt(credential)
  return isIt ? { ...credential, kind: 'calling-jwt' } : credential
}

function playersOf(steps: readonly Exchange[]): TokenFlow['playedBy'] {
  const played: Partial<Record<Lane, string>> = {}
  for (const exchange of steps) {
    const lanes = lanesOf(exchange)
    if (lanes === null) continue
    if (exchange.from === 'suite') played[lanes.from] = 'the suite'
    if (exchange.to.endsWith('-double')) played[lanes.to] = "the suite's double"
  }
  return played
}

function arrowThere(exchange: Exchange, begun: number): Way {
  const { from = 'app', to = 'backend' } = lanesOf(exchange) ?? {}
  const text =
    exchange.kind === 'http'
      ? `${exchange.request.method} ${pathOf(exchange.request.url)}`
      : 'opens the socket'
  const carries = credentialsIn(textSent(exchange))
  return { from, to, at: exchange.at - begun, text, carries, refused: false, exchange: exchange.id }
}

function arrowBack(exchange: Exchange, begun: number): Way {
  const { from: to = 'app', to: from = 'backend' } = lanesOf(exchange) ?? {}
  const [, answered] = placesOf(exchange)
  const decided =
    exchange.kind === 'websocket'
      ? (exchange.events.at(-1)?.at ?? exchange.at)
      : exchange.at + exchange.durationMs
  const first =
    exchange.kind === 'websocket'
      ? exchange.events.find(({ type }) => type !== 'open' && type !== 'sent')
      : undefined
  return {
    from,
    to,
    at: (first?.at ?? decided) - begun,
    text: exchange.kind === 'http' ? `${exchange.response?.status ?? 'no answer'}` : exchange.verdict,
    carries: credentialsIn(answered.map(({ text }) => text).join('\n')),
    refused: exchange.kind === 'websocket' && !accepted(exchange),
    exchange: exchange.id,
  }
}

/** A stray on the way that is drawn counts as one that a violation speaks of, in this exchange or in another. */
function leakedBy({ from, to }: Way, strays: readonly Stray[], leaks: readonly Leak[]): CredentialKind[] {
  const same = (a: Stray, b: Stray) => a.kind === b.kind && a.from === b.from && a.to === b.to
  return strays
    .filter((stray) => stray.from === from && stray.to === to && leaks.some((leak) => same(leak, stray)))
    .map(({ kind }) => kind)
}

function pathOf(url: string): string {
  return /^(?:[a-z]+:\/\/[^/]+)?([^?#]*)/i.exec(url)?.[1] || '/'
}

/** Where a secret was out of place in an exchange on which a violation rests. */
function leaksOf({ checks, exchanges }: RunResults): Leak[] {
  const accused = new Map<string, string[]>()
  for (const { id, findings } of checks)
    for (const { verdict, evidence } of findings)
      if (verdict === 'fail')
        for (const exchange of evidence) accused.set(exchange, [...(accused.get(exchange) ?? []), id])
  const leaks = new Map<string, Leak>()
  for (const exchange of exchanges) {
    const requirements = accused.get(exchange.id)
    if (requirements === undefined) continue
    for (const stray of straysIn(exchange)) {
      const key = JSON.stringify(stray)
      const known = leaks.get(key) ?? { ...stray, requirements: [], exchanges: [] }
      leaks.set(key, {
        ...known,
        requirements: [...new Set([...known.requirements, ...requirements])],
        exchanges: [...new Set([...known.exchanges, exchange.id])],
      })
    }
  }
  return [...leaks.values()]
}
