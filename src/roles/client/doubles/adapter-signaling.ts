import type { RecordedEvent } from '../../../base/evidence/exchange.ts'
import { Untested } from '../../../base/inconclusive.ts'
import { settledMs, welcomeMs } from '../../../base/times.ts'
import { readJoining, startAdapterDouble } from '../../signaling/adapter-double.ts'
import type { Decide, ServeDouble } from '../../signaling/adapter-module.ts'
import type { ConnectionAttempt, Refusals, SignalingScript } from '../types.ts'
import { type AdapterRelay, createAdapterRelay, type Relayed } from './adapter-relay.ts'
import type { DoubleContext } from './double-context.ts'
import {
  beginAttempt,
  endAttempt,
  isValid,
  type RunningAttempt,
  type ServingSignaling,
  type SignalingText,
} from './serving-signaling.ts'

/** How a refusal looks that only the adapter knows: the client sees it, as it would one of the service. */
export const adapterRefusals: Refusals = { atConnect: 'frame', inSession: 'frame' }

interface Joined {
  readonly attempt: RunningAttempt
  readonly relayed: Relayed | undefined
  readonly decision: RecordedEvent[]
}

type Decision = Awaited<ReturnType<Decide>>

interface AdapterSignaling {
  readonly context: DoubleContext
  readonly open: Set<Joined>
  readonly attempts: ConnectionAttempt[]
  readonly attemptOf: Map<Relayed, ConnectionAttempt>
  readonly upstream: Awaited<ReturnType<typeof startAdapterDouble>>
  readonly relay: AdapterRelay
  /** Answers a client that is left without a decision when everything ends. */
  readonly left: Promise<Decision>
  script: SignalingScript | null
}

/** Signaling as an adapter's `serve` speaks it: each client that it asks about is an attempt. Throws `ControlLost`. */
export async function startAdapterSignaling(
  context: DoubleContext,
  serve: ServeDouble,
): Promise<ServingSignaling> {
  const ending = new AbortController()
  const left = new Promise<Decision>((resolve) =>
    ending.signal.addEventListener('abort', () => resolve({ accepted: false, userId: '' })),
  )
  let adapter: AdapterSignaling | null = null
  const upstream = await startAdapterDouble(serve, {
    decide: async (value) => (adapter === null ? decideEarly(context, value) : await decide(adapter, value)),
    signal: ending.signal,
  })
  const started: AdapterSignaling = {
    context,
    open: new Set(),
    attempts: [],
    attemptOf: new Map(),
    upstream,
    relay: createAdapterRelay(context, upstream.url),
    left,
    script: null,
  }
  adapter = started
  const { relay } = started
  return {
    refusals: { ...adapterRefusals, inSession: upstream.refuseOpen === undefined ? null : 'frame' },
    path: upstream.url.pathname + upstream.url.search,
    request: relay.request,
    serve: async (url, request, stream, head) => relay.serve(url, request, stream, head),
    attempts: () => started.attempts,
    connections: () => relay.all().map(({ progress }) => progress),
    texts: () => relay.all().flatMap((relayed) => textsOf(relayed, started.attemptOf.get(relayed))),
    answer(next) {
      started.script = next
    },
    refuseOpen() {
      const { refuseOpen } = upstream
      if (refuseOpen === undefined)
        throw new Untested(
          'serve of the signaling adapter returns no refuseOpen, so an open connection cannot be rejected',
        )
      // Before it has welcomed a client, a server does not have its connection among those that are open.
      const isWelcomed = () => openJoined(started).every(({ attempt }) => attempt.hasReadWelcome)
      context.changeSignal
        .waitFor(isWelcomed, welcomeMs)
        .then(refuseOpen)
        .catch((error: unknown) => context.changeSignal.abort(error as Error))
    },
    dropOpen() {
      drop(started, openJoined(started))
    },
    end() {
      for (const joined of [...started.open]) finish(started, joined, null)
      ending.abort()
      relay.cut()
    },
  }
}

function finish(
  adapter: AdapterSignaling,
  joined: Joined,
  outcome: ConnectionAttempt['outcome'],
  { byClient = false } = {},
) {
  if (!adapter.open.delete(joined)) return
  const { attempt, relayed, decision } = joined
  const isFault = byClient && attempt.outcome === 'accepted' && !attempt.hasReadWelcome
  const events = [...(relayed?.events ?? []), ...decision].toSorted((one, other) => one.at - other.at)
  endAttempt(adapter.context, attempt, outcome, events, isFault)
}

function begin(adapter: AdapterSignaling, value: unknown): Joined {
  const { token, userId, ended } = readJoining(value)
  const relayed = adapter.relay.latest()
  const { url, headers, sent } = relayed ?? { url: adapter.upstream.url.href, headers: [], sent: [] }
  const attempt = {
    ...beginAttempt(adapter.context, { url, headers, credential: token, declaredUser: userId }),
    sent,
  }
  const joined: Joined = { attempt, relayed, decision: [] }
  adapter.open.add(joined)
  adapter.attempts.push(attempt)
  if (relayed !== undefined) adapter.attemptOf.set(relayed, attempt)
  const leave = () => finish(adapter, joined, 'failed', { byClient: true })
  ended.then(leave, leave)
  adapter.context.changeSignal.notify()
  return joined
}

/** A client that still changes its transport would not notice that its connection is cut. */
function noteWelcome(adapter: AdapterSignaling, attempt: Joined['attempt']) {
  const quietMs = adapter.context.recorder.now() - adapter.relay.lastActivity()
  if (quietMs < settledMs) return void setTimeout(noteWelcome, settledMs - quietMs, adapter, attempt).unref()
  attempt.hasReadWelcome = true
  adapter.context.changeSignal.notify()
}

function settle(adapter: AdapterSignaling, joined: Joined, isAccepted: boolean) {
  const { attempt, relayed, decision } = joined
  attempt.outcome = isAccepted ? 'accepted' : 'refused'
  decision.push({ at: adapter.context.recorder.now(), type: 'frame', text: `decided: ${attempt.outcome}` })
  if (isAccepted && relayed !== undefined)
    adapter.relay.onReceived(relayed, () => noteWelcome(adapter, attempt))
  adapter.context.changeSignal.notify()
  return { accepted: isAccepted, userId: adapter.context.userOfAttempt(attempt) }
}

async function decide(adapter: AdapterSignaling, value: unknown): Promise<Decision> {
  try {
    const joined = begin(adapter, value)
    const reaction = adapter.script === null ? 'ordinary' : await adapter.script(joined.attempt)
    if (reaction === 'hang') return await adapter.left
    if (typeof reaction === 'object' && reaction.location !== undefined)
      throw new Untested('the double of a signaling adapter cannot redirect a client')
    if (reaction === 'drop' || typeof reaction === 'object') {
      drop(adapter, [joined])
      return await adapter.left
    }
    return settle(
      adapter,
      joined,
      reaction === 'ordinary' ? isValid(adapter.context, joined.attempt.credential) : reaction === 'accept',
    )
  } catch (error) {
    // A server need not expect that `decide` rejects.
    adapter.context.changeSignal.abort(error as Error)
    return await adapter.left
  }
}

function drop(adapter: AdapterSignaling, joined: readonly Joined[]) {
  Promise.try(() => adapter.upstream.dropOpen?.()).catch((error: unknown) =>
    adapter.context.changeSignal.abort(error as Error),
  )
  adapter.relay.cut()
  for (const one of joined) finish(adapter, one, 'dropped')
}

/** Before `serve` has returned, no client knows the address: the adapter asks for itself, as a server that warms up does. */
function decideEarly(context: DoubleContext, value: unknown): Decision {
  const { token, userId } = readJoining(value)
  return { accepted: isValid(context, token), userId: userId ?? '' }
}

function openJoined(adapter: AdapterSignaling) {
  return [...adapter.open].filter(({ attempt }) => attempt.outcome === 'accepted')
}

/** A text with the credential is the credential: nothing else says where an adapter's service wants it. */
function textsOf(
  { url, headers, sent }: Relayed,
  attempt: ConnectionAttempt | undefined,
): readonly SignalingText[] {
  const credential = attempt?.credential ?? null
  return [url, ...headers.map((pair) => pair.join(': ')), ...sent].map((text) => ({
    isCredential: credential !== null && text.includes(credential),
    url,
    text,
    exchange: attempt?.exchange ?? '',
  }))
}
