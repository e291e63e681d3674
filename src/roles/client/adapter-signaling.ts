import type { RecordedEvent } from '../../base/evidence/exchange.ts'
import { Untested } from '../../base/inconclusive.ts'
import { readJoining, startAdapterDouble } from '../signaling/adapter-double.ts'
import type { Decide, ServeDouble } from '../signaling/adapter-module.ts'
import { createAdapterRelay, type Relayed } from './adapter-relay.ts'
import type { DoubleContext } from './double-context.ts'
import type { ServingSignaling, SignalingText } from './serving-signaling.ts'
import type { ConnectionAttempt, Refusals, SignalingScript } from './types.ts'

/** How a refusal looks that only the adapter knows: the client sees it, as it would one of the service. */
export const adapterRefusals: Refusals = { atConnect: 'frame', inSession: 'frame' }

/** A service that says nothing to a client that it accepts is not waited for any longer. */
const welcomeMs = 1000
/** A connection on which nothing has happened for so long is settled. */
const settledMs = 200

interface Joined {
  readonly attempt: { -readonly [Key in keyof ConnectionAttempt]: ConnectionAttempt[Key] }
  readonly relayed: Relayed | undefined
  readonly decision: RecordedEvent[]
}

/**
 * Signaling as an adapter's `serve` speaks it: each client that this asks about is a connection attempt, and what the client
 * sends passes through here, so that it is seen. Rejects with ControlLost where the adapter's double does not start.
 */
export async function startAdapterSignaling(
  context: DoubleContext,
  serve: ServeDouble,
): Promise<ServingSignaling> {
  const { recorder, changeSignal, tokenIssuer } = context
  const ending = new AbortController()
  const open = new Set<Joined>()
  const attempts: ConnectionAttempt[] = []
  const attemptOf = new Map<Relayed, ConnectionAttempt>()
  let script: SignalingScript | null = null

  const finish = (joined: Joined, outcome: ConnectionAttempt['outcome'], { byClient = false } = {}) => {
    if (!open.delete(joined)) return
    const { attempt, relayed, decision } = joined
    const isFault = byClient && attempt.outcome === 'accepted' && !attempt.hasReadWelcome
    attempt.outcome ??= outcome
    attempt.closedAt = recorder.now()
    context.noteActivity()
    recorder.recordSocket(attempt.exchange, {
      to: 'signaling-double',
      ...attempt,
      events: [...(relayed?.events ?? []), ...decision].toSorted((one, other) => one.at - other.at),
      verdict: attempt.outcome ?? 'left open',
      ...(isFault && { fault: 'did not welcome the client before it gave up' }),
    })
    changeSignal.notify()
  }

  const begin = (value: unknown): Joined => {
    const { token, userId, ended } = readJoining(value)
    const relayed = relay.latest()
    const attempt = {
      at: recorder.now(),
      clientAt: context.clientNow(),
      url: relayed?.url ?? upstream.url.href,
      headers: relayed?.headers ?? [],
      credential: token,
      declaredUser: userId,
      sent: relayed?.sent ?? [],
      outcome: null,
      hasReadWelcome: false,
      closedAt: null,
      exchange: recorder.begin(),
    }
    const joined: Joined = { attempt, relayed, decision: [] }
    open.add(joined)
    attempts.push(attempt)
    if (relayed !== undefined) attemptOf.set(relayed, attempt)
    const leave = () => finish(joined, 'failed', { byClient: true })
    ended.then(leave, leave)
    changeSignal.notify()
    return joined
  }

  /** A client that still changes its transport would not notice that its connection is cut. */
  const noteWelcome = (attempt: Joined['attempt']) => {
    const quietMs = recorder.now() - relay.lastActivity()
    if (quietMs < settledMs) return void setTimeout(noteWelcome, settledMs - quietMs, attempt).unref()
    attempt.hasReadWelcome = true
    changeSignal.notify()
  }

  const settle = (joined: Joined, isAccepted: boolean) => {
    const { attempt, relayed, decision } = joined
    attempt.outcome = isAccepted ? 'accepted' : 'refused'
    decision.push({ at: recorder.now(), type: 'frame', text: `decided: ${attempt.outcome}` })
    if (isAccepted && relayed !== undefined) relay.onReceived(relayed, () => noteWelcome(attempt))
    changeSignal.notify()
    return { accepted: isAccepted, userId: context.userOfAttempt(attempt) }
  }

  const decide: Decide = async (value) => {
    try {
      const joined = begin(value)
      const reaction = script === null ? 'ordinary' : await script(joined.attempt)
      if (reaction === 'hang') return await left
      if (typeof reaction === 'object' && reaction.location !== undefined)
        throw new Untested('the double of a signaling adapter cannot redirect a client')
      if (reaction === 'drop' || typeof reaction === 'object') {
        drop([joined])
        return await left
      }
      return settle(
        joined,
        reaction === 'ordinary' ? isValid(joined.attempt.credential) : reaction === 'accept',
      )
    } catch (error) {
      // A server need not expect that `decide` rejects.
      changeSignal.abort(error as Error)
      return await left
    }
  }
  const drop = (joined: readonly Joined[]) => {
    Promise.try(() => upstream.dropOpen?.()).catch((error: unknown) => changeSignal.abort(error as Error))
    relay.cut()
    for (const one of joined) finish(one, 'dropped')
  }
  const isValid = (credential: string | null) => {
    const token = credential === null ? undefined : tokenIssuer.find(credential)
    return token !== undefined && !tokenIssuer.isExpired(token)
  }
  /** A client that is left without a decision is refused when everything ends. */
  const left = new Promise<{ accepted: boolean; userId: string }>((resolve) =>
    ending.signal.addEventListener('abort', () => resolve({ accepted: false, userId: '' })),
  )

  const upstream = await startAdapterDouble(serve, { decide, signal: ending.signal })
  const relay = createAdapterRelay(context, upstream.url)
  const openJoined = () => [...open].filter(({ attempt }) => attempt.outcome === 'accepted')

  return {
    refusals: { ...adapterRefusals, inSession: upstream.refuseOpen === undefined ? null : 'frame' },
    path: upstream.url.pathname + upstream.url.search,
    request: relay.request,
    serve: async (url, request, stream, head) => relay.serve(url, request, stream, head),
    attempts: () => attempts,
    connections: () => relay.all().map(({ progress }) => progress),
    texts: () => relay.all().flatMap((relayed) => textsOf(relayed, attemptOf.get(relayed))),
    answer(next) {
      script = next
    },
    refuseOpen() {
      const { refuseOpen } = upstream
      if (refuseOpen === undefined)
        throw new Untested(
          'serve of the signaling adapter returns no refuseOpen, so an open connection cannot be rejected',
        )
      // Before it has welcomed a client, a server does not have its connection among those that are open.
      const isWelcomed = () => openJoined().every(({ attempt }) => attempt.hasReadWelcome)
      changeSignal
        .waitFor(isWelcomed, welcomeMs)
        .then(refuseOpen)
        .catch((error: unknown) => changeSignal.abort(error as Error))
    },
    dropOpen() {
      drop(openJoined())
    },
    end() {
      for (const joined of [...open]) finish(joined, null)
      ending.abort()
      relay.cut()
    },
  }
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
