import type { Exchange, HttpExchange, WebSocketExchange } from '../base/evidence/exchange.ts'
import type { SecretLabel, ShownKind } from '../base/evidence/secret-label.ts'
import type { CheckResult } from '../requirement/run.ts'
import {
  findCredentials,
  findMisplacedCredentials,
  type Lane,
  lanesOf,
  type MisplacedCredential,
  placesOf,
} from './misplaced-credentials.ts'
import type { RunResults } from './results.ts'

/** A request or an answer of the flow. */
interface Message {
  readonly from: Lane
  readonly to: Lane
  /** Milliseconds since the first message. */
  readonly at: number
  readonly text: string
  readonly carries: readonly SecretLabel[]
  readonly refused: boolean
  readonly exchange: string
}

/** A credential in the same wrong place between the same parts, once for all its exchanges. */
export interface TokenLeak extends MisplacedCredential {
  readonly requirements: readonly string[]
  readonly exchanges: readonly string[]
}

/**
 * Follows the fingerprints through the exchanges: the messages of one calling JWT, and the leaks and violations in them. Where no
 * token came that far, the messages are those on which violations rest.
 */
export function buildTokenFlow(run: RunResults) {
  const trace = traceCallingJwt(run.exchanges)
  const violations = placeViolations(run)
  const { minted, fetched, joined } = trace ?? findSteps(violations.map(({ exchange }) => exchange))
  const steps = [fetched, minted, joined].filter((exchange) => exchange !== undefined)
  const startedAt = Math.min(...steps.map(({ at }) => at))
  const leaks = findLeaks(run)
  const messagesOf = (step: Exchange | undefined): readonly Message[] =>
    step === undefined ? [] : readMessages(step, startedAt)
  const [asked, given] = messagesOf(fetched)
  const [minting, token] = messagesOf(minted)
  const messages = [asked, minting, token, given, ...messagesOf(joined)].filter((one) => one !== undefined)
  const misplaced = new Map(steps.map((exchange) => [exchange.id, findMisplacedCredentials(exchange)]))
  // The traced token is a calling JWT, also where it was recorded before it was decoded.
  const named = (one: SecretLabel): SecretLabel =>
    one.fingerprint === trace?.fingerprint && isCallingJwt(one) ? { ...one, kind: 'calling-jwt' } : one
  return {
    arrows: messages.map((message) => ({
      ...message,
      carries: message.carries.map(named),
      leaked: findLeakedKinds(message, misplaced.get(message.exchange) ?? [], leaks),
      /** The violated requirements whose evidence is a message like this one. */
      violated: violations
        .filter(({ from, to }) => from === message.from && to === message.to)
        .map(({ id }) => id),
    })),
    leaks,
    playedBy: findPlayers(steps),
    /** The exchange between backend and mint is visible only where the backend calls the suite's mint double. */
    mintHidden:
      fetched?.to === 'backend' &&
      minted === undefined &&
      !run.exchanges.some(({ from, to }) => from === 'backend' && (to === 'mint' || to === 'mint-double')),
  }
}

export type TokenFlow = ReturnType<typeof buildTokenFlow>
export type Arrow = TokenFlow['arrows'][number]

/** By lane, who played it where it was not the implementation. */
function findPlayers(steps: readonly Exchange[]): Readonly<Partial<Record<Lane, string>>> {
  const played: Partial<Record<Lane, string>> = {}
  for (const exchange of steps) {
    const lanes = lanesOf(exchange)
    if (lanes === null) continue
    if (exchange.from === 'suite') played[lanes.from] = 'the suite'
    if (exchange.to.endsWith('-double')) played[lanes.to] = "the suite's double"
  }
  return played
}

function readMessages(exchange: Exchange, startedAt: number): [request: Message, answer: Message] {
  const { from, to } = lanesOf(exchange) ?? { from: 'app', to: 'backend' }
  const [sent, answered] = placesOf(exchange)
  const { request, id } = exchange
  const path = /^(?:[a-z]+:\/\/[^/]+)?([^?#]*)/i.exec(request.url)?.[1] || '/'
  const asked = exchange.kind === 'http' ? `${exchange.request.method} ${path}` : 'opens the socket'
  const at = exchange.at - startedAt
  const carriesOf = (places: typeof sent) => ({ carries: findCredentials(textOf(places)), exchange: id })
  const answer = readAnswer(exchange)
  return [
    { from, to, at, text: asked, refused: false, ...carriesOf(sent) },
    { from: to, to: from, ...answer, at: answer.at - startedAt, ...carriesOf(answered) },
  ]
}

function readAnswer(exchange: Exchange): Pick<Message, 'at' | 'text' | 'refused'> {
  if (exchange.kind === 'http') {
    const text = `${exchange.response?.status ?? 'no answer'}`
    return { at: exchange.at + exchange.durationMs, text, refused: false }
  }
  const first = exchange.events.find(({ type }) => type !== 'open' && type !== 'sent')
  const { at } = first ?? exchange.events.at(-1) ?? exchange
  return { at, text: exchange.verdict, refused: !isAccepted(exchange) }
}

/** A misplaced credential is leaked where a violation rests on the same one, in this exchange or in another. */
function findLeakedKinds(
  { from, to }: Message,
  misplaced: readonly MisplacedCredential[],
  leaks: readonly TokenLeak[],
): ShownKind[] {
  const here = (one: MisplacedCredential) => (one.from === from && one.to === to ? [one.kind] : [])
  const leaked = leaks.flatMap(here)
  return misplaced.flatMap(here).filter((kind) => leaked.includes(kind))
}

function findLeaks({ checks, exchanges }: RunResults): TokenLeak[] {
  const accused = new Map<string, string[]>()
  for (const { id, findings } of checks)
    for (const { verdict, evidence } of findings)
      if (verdict === 'fail')
        for (const exchange of evidence) accused.set(exchange, [...(accused.get(exchange) ?? []), id])
  const leaks = new Map<string, TokenLeak>()
  for (const exchange of exchanges) {
    const requirements = accused.get(exchange.id)
    if (requirements === undefined) continue
    for (const credential of findMisplacedCredentials(exchange)) {
      const key = JSON.stringify(credential)
      const known = leaks.get(key) ?? { ...credential, requirements: [], exchanges: [] }
      leaks.set(key, {
        ...known,
        requirements: [...new Set([...known.requirements, ...requirements])],
        exchanges: [...new Set([...known.exchanges, exchange.id])],
      })
    }
  }
  return [...leaks.values()]
}

const lanesByRole: Readonly<Partial<Record<CheckResult['role'], Lane>>> = {
  client: 'app',
  backend: 'backend',
  mint: 'mint',
  signaling: 'signaling',
}

/** Each violated requirement at the first exchange on which it rests, with the lanes of the accused part's message. */
function placeViolations({ checks, exchanges }: RunResults) {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  return checks.flatMap(({ id, role, findings }) => {
    const first = findings
      .filter(({ verdict }) => verdict === 'fail')
      .flatMap(({ evidence }) => evidence.flatMap((one) => byId.get(one) ?? []))[0]
    const lanes = first === undefined ? null : lanesOf(first)
    if (first === undefined || lanes === null) return []
    const { from, to } = lanes
    // A double in the flow has done nothing wrong: the fault is in the message that it was sent.
    const isSender =
      lanesByRole[role] === from || (lanesByRole[role] === undefined && first.to.endsWith('-double'))
    return [{ id, exchange: first, ...(isSender ? { from, to } : { from: to, to: from }) }]
  })
}

function findSteps(exchanges: readonly Exchange[]): Omit<TokenTrace, 'fingerprint'> {
  const over = (lane: Lane) => exchanges.find((exchange) => lanesOf(exchange)?.to === lane)
  const [minted, fetched, joined] = [over('mint'), over('backend'), over('signaling')]
  return {
    minted: minted?.kind === 'http' ? minted : undefined,
    fetched: fetched?.kind === 'http' ? fetched : undefined,
    joined: joined?.kind === 'websocket' ? joined : undefined,
  }
}

/** The exchanges that issued, fetched and used one calling JWT, as far as they were recorded. */
interface TokenTrace {
  readonly fingerprint: string
  minted?: HttpExchange | undefined
  fetched?: HttpExchange | undefined
  joined?: WebSocketExchange | undefined
}

/** Traces the calling JWT with the most complete record, the first of several; null without any token. */
function traceCallingJwt(exchanges: readonly Exchange[]): TokenTrace | null {
  const traces = new Map<string, TokenTrace>()
  for (const exchange of exchanges) {
    const lanes = lanesOf(exchange)
    if (lanes === null) continue
    const socket = exchange.kind === 'websocket'
    const found = findCredentials(socket ? textOf(placesOf(exchange)[0]) : issuedText(exchange)).flatMap(
      (one) => (isCallingJwt(one) && one.fingerprint !== null ? [one.fingerprint] : []),
    )
    for (const fingerprint of found) {
      const trace = traces.get(fingerprint) ?? { fingerprint }
      traces.set(fingerprint, trace)
      if (!socket) trace[lanes.to === 'mint' ? 'minted' : 'fetched'] ??= exchange
      else if (trace.joined === undefined || (!isAccepted(trace.joined) && isAccepted(exchange)))
        trace.joined = exchange
    }
  }
  let best: TokenTrace | null = null
  for (const trace of traces.values()) if (best === null || rate(trace) > rate(best)) best = trace
  return best
}

function isAccepted({ verdict }: WebSocketExchange): boolean {
  return /^(?:was )?accepted\b/.test(verdict)
}

function textOf(places: ReturnType<typeof placesOf>[number]): string {
  return places.map(({ text }) => text).join('\n')
}

/** Counts any JWT: a token is labelled as the calling JWT only after it was decoded. */
function isCallingJwt({ kind }: SecretLabel): boolean {
  return kind === 'calling-jwt' || kind === 'jwt'
}

function rate({ minted, fetched, joined }: TokenTrace): number {
  const way =
    (fetched === undefined ? 0 : 8) + (minted === undefined ? 0 : 4) + (joined === undefined ? 0 : 2)
  return way + (joined !== undefined && isAccepted(joined) ? 1 : 0)
}

/** The body of a successful answer of the mint or the backend. */
function issuedText({ to, response }: HttpExchange): string {
  const issues = to === 'mint' || to === 'mint-double' || to === 'backend' || to === 'backend-double'
  return issues && response !== undefined && response.status < 300 ? response.body : ''
}
