import type { Clock } from '../base/clock.ts'
import type { Journal } from '../base/evidence/exchange.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { type Network, secureOptions } from '../base/http/network.ts'
import type { Pacer } from '../base/pacing.ts'
import { createRecorder } from '../roles/signaling/attempt-recorder.ts'
import { type Connection, connect } from '../roles/signaling/connection.ts'
import { setDeadline } from '../roles/signaling/deadline.ts'
import { floodCharacters } from '../roles/signaling/decide-outcome.ts'
import { isEnd, type SignalingEvent } from '../roles/signaling/event-log.ts'
import type { JoinRequest } from '../roles/signaling/join-request.ts'
import { isCue } from '../roles/signaling/match-sign.ts'
import { textCodec } from '../roles/signaling/message-codec.ts'
import { type Budget, GivenUp } from './budget.ts'

export interface Pace {
  readonly silentClientMs: number
  /** How long an attempt without any event is watched. */
  readonly silenceMs: number
  /** A connection that is closed before this time was only tolerated, not accepted. */
  readonly toleratedMs: number
}

/** The record of one attempt at a service, made before any of its signs are known. */
export interface Trace {
  readonly exchange: string
  readonly events: readonly SignalingEvent[]
  /** How the connection ended while it was watched; null where it was still open. */
  readonly end: SignalingEvent | null
  /** Frames that came after all messages were sent, or before the end where there were none to send. */
  readonly frames: readonly string[]
  /** Milliseconds from the beginning to the last thing that happened. */
  readonly lastMs: number
  /** The subprotocol that the service chose, where it was opened. */
  readonly protocol: string
  readonly isReached: boolean
  /** The token that was sent: an echo of it is no sign. */
  readonly jwt: string
}

interface Watch {
  readonly windowMs: number
  readonly quietMs?: number | undefined
  readonly jwt?: string | null
}

export interface Prober {
  /** Sends, and watches for `windowMs` after the last message; with `quietMs` no longer than that after the last frame. */
  probe(join: JoinRequest, watch: Watch): Promise<Trace>
}

export interface ProberOptions {
  readonly journal: Journal
  readonly redactor: Redactor
  readonly clock: Clock
  readonly runStart: number
  readonly network?: Network
  readonly frameBytes: number
  readonly budget: Budget
  /** Whose turn each attempt waits for; none where undefined. */
  readonly pacer?: Pacer | undefined
}

/** Attempts at a time: no more than a few tabs of one user would make. */
const atOnce = 4
const connectMs = 10_000
const pausesMs = [1000, 2000, 4000, 8000]

/** A service that never falls silent is watched for so many windows. */
const mostWindows = 2

/** On a rate limit it waits, goes on with one attempt at a time, and gives up where that does not help. */
export function createProber(options: ProberOptions): Prober {
  const { clock, network = {}, frameBytes, budget, pacer } = options
  const record = createRecorder(options)
  const pauses = [...pausesMs]
  let parallel = atOnce
  let running = 0
  const waiting: (() => void)[] = []

  const enter = async () => {
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
  }
  const leave = () => {
    running -= 1
    if (running < parallel) waiting.shift()?.()
  }

  const once: Prober['probe'] = async (join, { windowMs, quietMs, jwt }) => {
    budget.attempt()
    const startedAt = clock.monotonic()
    const connection = connect(join, {
      ...secureOptions(network, new URL(join.url).hostname),
      proxy: network.proxy,
      codec: textCodec,
      frameBytes,
      deadlineMs: windowMs,
      clock,
    })
    const said = await untilSettled(connection, join, { windowMs, quietMs }, clock)
    const events = [...connection.log.events]
    const isReached = connection.isReached()
    const frames = events.slice(Math.min(said, events.length)).filter(({ type }) => type === 'frame')
    const end = events.find(isEnd) ?? null
    if (end === null) budget.watched(windowMs)
    await connection[Symbol.asyncDispose]()
    return {
      exchange: record({ join, startedAt, events, verdict: describeEnd(end) }),
      events,
      end,
      frames: frames.map(({ text }) => text),
      lastMs: (events.at(-1)?.at ?? clock.monotonic()) - startedAt,
      protocol: events.find(({ type }) => type === 'open')?.text ?? '',
      isReached,
      jwt: jwt ?? '',
    }
  }

  return {
    async probe(join, watch) {
      await enter()
      try {
        for (;;) {
          const attempt = () => once(join, watch)
          const trace = await (pacer === undefined ? attempt() : pacer.run(attempt))
          if (!isLimited(trace)) return trace
          parallel = 1
          const pauseMs = pauses.shift()
          if (pauseMs === undefined) throw new GivenUp('signaling limits the request rate')
          await clock.until(clock.monotonic() + pauseMs)
        }
      } finally {
        leave()
      }
    },
  }
}

/** Sends the messages when it is time for them, waits for the outcome, and returns how many events came before that. */
async function untilSettled(
  connection: Connection,
  join: JoinRequest,
  { windowMs, quietMs }: Watch,
  clock: Clock,
): Promise<number> {
  const { log } = connection
  const over = Promise.withResolvers<void>()
  let said = Number.POSITIVE_INFINITY
  const startedAt = clock.monotonic()
  let endsAt = startedAt + windowMs
  let latestAt = Number.POSITIVE_INFINITY
  // A connection that is slow to come about shows nothing of the outcome yet.
  const endUnlessConnecting = () => {
    if (connection.isReached() || clock.monotonic() - startedAt > connectMs) return over.resolve()
    endsAt = clock.monotonic() + windowMs
    arm()
  }
  const arm = () => {
    cancel = setDeadline(clock, endsAt, () => (clock.monotonic() < endsAt ? arm() : endUnlessConnecting()))
  }
  let cancel = () => {}
  arm()
  /** Only a sooner end needs another timer: a flood of frames moves it with each of them. */
  const watchFor = (ms: number) => {
    const until = Math.min(clock.monotonic() + ms, latestAt)
    const isSooner = until < endsAt
    endsAt = until
    if (!isSooner) return
    cancel()
    arm()
  }
  let heard = 0
  const stop = log.listen((event) => {
    heard += event.text.length
    if (isEnd(event) || heard > floodCharacters) over.resolve()
    if (event.type === 'open') for (const message of join.opening) connection.send(message)
    if (said === Number.POSITIVE_INFINITY && isCue(join.after, event, textCodec)) {
      said = log.events.length
      for (const message of join.messages) connection.send(message)
      said += join.messages.length
      watchFor(windowMs)
      latestAt = clock.monotonic() + mostWindows * windowMs
    } else if (event.type === 'frame' && quietMs !== undefined && log.events.length > said)
      watchFor(Math.min(quietMs, windowMs))
  })
  await over.promise
  stop()
  cancel()
  return said
}

/** A rate limit: HTTP 429, close code 1013 (try again later), or 4429, its like among the free codes. */
function isLimited({ end }: Trace): boolean {
  return (
    (end?.type === 'http' && end.code === 429) ||
    (end?.type === 'close' && [1013, 4429].includes(end.code ?? 0))
  )
}

function describeEnd(end: SignalingEvent | null): string {
  if (end === null) return 'was left open'
  if (end.type === 'http') return `answered ${end.code}`
  if (end.type === 'close')
    return end.code === 1006 ? 'ended without a close frame' : `closed with ${end.code}`
  return end.text
}
