import { type Clock, setDeadline } from '../../base/clock.ts'
import type { RecordedEvent } from '../../base/evidence/exchange.ts'
import {
  faultOfCloseCode,
  faultOfStatus,
  type Unavailability,
  unavailableByCloseCode,
  unavailableByStatus,
} from '../../base/evidence/transport-fault.ts'

/** Something that happened on a connection to signaling, as it was. */
export interface SignalingEvent {
  /** Monotonic milliseconds. */
  readonly at: number
  readonly type: RecordedEvent['type']
  /** A frame's or message's text, what UTF-8 reads in one that is binary, a close reason; for `error` and `timeout` a clause that completes "signaling …". */
  readonly text: string
  /** The bytes of a frame or message, where the profile says that they are binary. */
  readonly base64?: string
  readonly code?: number | undefined
  /** The header of an `http` event that says when to come again. */
  readonly retryAfter?: string | undefined
  /** How an `error` event shows that signaling is down. */
  readonly unavailable?: Unavailability | undefined
}

export interface WrittenFrame {
  readonly text: string
  /** False where fragments of the same message follow. */
  readonly isLast: boolean
  readonly isCompressed: boolean
}

/** `unread`: the peer answered nothing by the deadline. `ended`: the connection was over, or ended meanwhile. */
export type SentFrames = 'read' | 'unread' | 'ended'

export type EventLog = ReturnType<typeof createEventLog>

const endings: readonly SignalingEvent['type'][] = ['http', 'close', 'error', 'timeout']
/** Cost of an event apart from its text. */
const overhead = 100

export function isEnd(event: SignalingEvent): boolean {
  return endings.includes(event.type)
}

/**
 * The events of one connection, in order. Listeners hear every frame; `events` keeps them until they are `keptCharacters`, so that
 * a flood costs no memory.
 */
export function createEventLog(clock: Clock, keptCharacters: number) {
  const events: SignalingEvent[] = []
  const listeners = new Set<(event: SignalingEvent) => void>()
  const end = Promise.withResolvers<SignalingEvent>()
  let over = false
  let kept = 0
  let cursor = 0
  const listen = (listener: (event: SignalingEvent) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    events: events as readonly SignalingEvent[],
    /** The event after which nothing follows; never rejects. */
    ended: end.promise,
    /** Adds an event and tells the listeners; what comes after the end is dropped. */
    push(said: Omit<SignalingEvent, 'at'>): void {
      if (over) return
      const event = { at: clock.monotonic(), ...said }
      if (event.type !== 'frame' || kept < keptCharacters) events.push(event)
      kept += event.text.length + (event.base64?.length ?? 0) + overhead
      over = isEnd(event)
      for (const listener of [...listeners]) listener(event)
      if (over) end.resolve(event)
    },
    listen,
    /** The first event behind the last one it returned that satisfies the predicate; null at the deadline or the end. */
    async next(
      predicate: (event: SignalingEvent) => boolean,
      deadlineMs: number,
    ): Promise<SignalingEvent | null> {
      const index = events.findIndex((event, place) => place >= cursor && predicate(event))
      if (index >= 0) cursor = index + 1
      if (index >= 0 || over) return events[index] ?? null
      const found = Promise.withResolvers<SignalingEvent | null>()
      const stop = listen((event) => {
        if (predicate(event)) found.resolve(event)
        else if (isEnd(event)) found.resolve(null)
      })
      const cancel = setDeadline(clock, clock.monotonic() + deadlineMs, () => found.resolve(null))
      const event = await found.promise
      stop()
      cancel()
      cursor = event === null ? events.length : events.lastIndexOf(event) + 1 || events.length
      return event
    },
    /** Makes `next` begin behind everything seen so far. */
    skipSeen(): void {
      cursor = events.length
    },
  }
}

/** The last event as a fault on the way to the service, as a clause; null where the service has answered. */
export function faultOfEvent({ type, code = 0, text }: Omit<SignalingEvent, 'at'>): string | null {
  if (type === 'error' || type === 'timeout') return text
  if (type === 'http') return faultOfStatus(code)
  return type === 'close' ? faultOfCloseCode(code) : null
}

/** How the last event of a connection shows that signaling is down, or bans its client. */
export function unavailableByEvent({
  type,
  code = 0,
  unavailable,
}: Omit<SignalingEvent, 'at'>): Unavailability | undefined {
  if (type === 'timeout') return 'silent'
  if (type === 'http') return unavailableByStatus(code)
  return type === 'close' ? unavailableByCloseCode(code) : unavailable
}
