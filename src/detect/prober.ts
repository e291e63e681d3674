import { createSecureContext, getCACertificates } from 'node:tls'
import type { Clock } from '../base/clock.ts'
import type { Journal } from '../base/evidence/exchange.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { createRecorder } from '../roles/signaling/attempt-recorder.ts'
import { connect } from '../roles/signaling/connection.ts'
import { alarm } from '../roles/signaling/deadline.ts'
import { isEnd, type SignalingEvent } from '../roles/signaling/event-log.ts'
import { signIn } from '../roles/signaling/match-sign.ts'
import type { Offer } from '../roles/signaling/offer.ts'
import { type Budget, GivenUp } from './budget.ts'

/** How long things are watched, in milliseconds. */
export interface Pace {
  readonly baselineMs: number
  /** An attempt of which nothing is heard. */
  readonly silenceMs: number
  /** A connection that is only tolerated for less than this is not one that was let in. */
  readonly toleratedMs: number
}

/** What a service did with one offer, before anything is known of how it says yes or no. */
export interface Trace {
  readonly exchange: string
  readonly events: readonly SignalingEvent[]
  /** How the connection ended while it was watched; null where it was still open. */
  readonly end: SignalingEvent | null
  /** Frames that came after everything had been said, or before the end where nothing had to be said. */
  readonly frames: readonly string[]
  /** Milliseconds from the beginning to the last thing that happened. */
  readonly lastMs: number
  /** The subprotocol that the service chose, where it was opened. */
  readonly protocol: string
  readonly isReached: boolean
  /** The token that was offered: what a service sends back of it says nothing. */
  readonly jwt: string
}

interface Watch {
  readonly windowMs: number
  readonly quietMs?: number
  readonly jwt?: string | null
}

export interface Prober {
  /** Offers, and watches for `windowMs` after all was said; with `quietMs` no longer than that after the last frame. */
  probe(offer: Offer, watch: Watch): Promise<Trace>
}

export interface ProberOptions {
  readonly journal: Journal
  readonly redactor: Redactor
  readonly clock: Clock
  readonly runStart: number
  readonly ca?: readonly string[]
  readonly frameBytes: number
  readonly budget: Budget
}

/** How many attempts are under way at a time: no more than a few tabs of one user would make. */
const atOnce = 4
const dialMs = 10_000
const pausesMs = [1000, 2000, 4000, 8000]

/** Keeps to a limit on the rate: it waits, goes on one at a time, and gives up where that does not help. */
export function createProber(options: ProberOptions): Prober {
  const { clock, ca, frameBytes, budget } = options
  const trust =
    ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates(), ...ca] }) }
  const record = createRecorder(options)
  const pauses = [...pausesMs]
  let lanes = atOnce
  let running = 0
  const waiting: (() => void)[] = []

  const enter = async () => {
    if (running >= lanes) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
  }
  const leave = () => {
    running -= 1
    if (running < lanes) waiting.shift()?.()
  }

  const once: Prober['probe'] = async (offer, { windowMs, quietMs, jwt }) => {
    budget.attempt()
    const startedAt = clock.monotonic()
    const connection = connect(offer, { ...trust, frameBytes, deadlineMs: windowMs, clock })
    const { log } = connection
    const over = Promise.withResolvers<void>()
    let said = Number.POSITIVE_INFINITY
    // A connection that is slow in coming about says nothing about what would have become of it.
    const unlessDialling = () => {
      if (connection.isReached() || clock.monotonic() - startedAt > dialMs) over.resolve()
      else cancel = alarm(clock, clock.monotonic() + windowMs, unlessDialling)
    }
    let cancel = alarm(clock, startedAt + windowMs, unlessDialling)
    const watchFor = (ms: number) => {
      cancel()
      cancel = alarm(clock, clock.monotonic() + ms, over.resolve)
    }
    const stop = log.listen((event) => {
      if (isEnd(event)) over.resolve()
      const isCue =
        offer.after === 'open' ? event.type === 'open' : signIn([offer.after], event) !== undefined
      if (isCue && said === Number.POSITIVE_INFINITY) {
        said = log.events.length
        for (const message of offer.messages) connection.send(message)
        said += offer.messages.length
        watchFor(windowMs)
      } else if (event.type === 'frame' && quietMs !== undefined && log.events.length > said)
        watchFor(Math.min(quietMs, windowMs))
    })
    await over.promise
    stop()
    cancel()
    const events = [...log.events]
    const isReached = connection.isReached()
    const frames = events.slice(Math.min(said, events.length)).filter(({ type }) => type === 'frame')
    const end = events.find(isEnd) ?? null
    await connection[Symbol.asyncDispose]()
    return {
      exchange: record({ offer, startedAt, events, verdict: wordsOf(end) }),
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
    async probe(offer, watch) {
      await enter()
      try {
        for (;;) {
          const trace = await once(offer, watch)
          if (!isLimited(trace)) return trace
          lanes = 1
          const pauseMs = pauses.shift()
          if (pauseMs === undefined) throw new GivenUp('signaling limits how often it may be asked')
          await clock.until(clock.monotonic() + pauseMs)
        }
      } finally {
        leave()
      }
    },
  }
}

/** Refused for coming too often: HTTP 429, close code 1013 (try again later), and its like among the free codes. */
function isLimited({ end }: Trace): boolean {
  return (
    (end?.type === 'http' && end.code === 429) ||
    (end?.type === 'close' && [1013, 4429].includes(end.code ?? 0))
  )
}

function wordsOf(end: SignalingEvent | null): string {
  if (end === null) return 'was left open'
  if (end.type === 'http') return `answered ${end.code}`
  if (end.type === 'close')
    return end.code === 1006 ? 'ended without a close frame' : `closed with ${end.code}`
  return end.text
}
