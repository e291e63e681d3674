import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RecordedEvent } from '../../../base/evidence/exchange.ts'
import type { ConnectionAttempt, SignalingDouble } from '../types.ts'
import type { DoubleContext } from './double-context.ts'

/** A double of signaling as the traffic of a client reaches it. */
export interface ServingSignaling extends SignalingDouble {
  /** Where a client that is told its address connects, with the query. */
  readonly path: string
  serve(url: URL, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Answers HTTP that belongs to signaling; null where the service is nothing but a socket. */
  readonly request:
    | ((url: URL, request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>)
    | null
  /** How far each connection has come. */
  connections(): readonly ConnectionProgress[]
  texts(): readonly SignalingText[]
  /** Cuts what is open and records it. */
  end(): void
}

/** Progress of a connection, by which each end knows how far the other has come. */
export interface ConnectionProgress {
  /** The `Sec-WebSocket-Key` of its upgrade. */
  readonly key: string | null
  readonly framesSent: number
  readonly isOver: boolean
}

export interface SignalingText {
  /** The credential as its place wants it, or something else. */
  readonly isCredential: boolean
  readonly url: string
  readonly text: string
  readonly exchange: string
}

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
export type RunningAttempt = Mutable<ConnectionAttempt>

export function beginAttempt(
  { recorder, clientNow }: DoubleContext,
  known: Pick<ConnectionAttempt, 'url' | 'headers' | 'credential' | 'declaredUser'>,
): RunningAttempt & { readonly sent: string[] } {
  return {
    at: recorder.now(),
    clientAt: clientNow(),
    ...known,
    sent: [],
    outcome: null,
    hasReadWelcome: false,
    closedAt: null,
    exchange: recorder.begin(),
  }
}

/** @param isFault the client gave up before it was told that it is welcome */
export function endAttempt(
  { recorder, noteActivity, changeSignal }: DoubleContext,
  attempt: RunningAttempt,
  outcome: ConnectionAttempt['outcome'],
  events: readonly RecordedEvent[],
  isFault: boolean,
): void {
  attempt.outcome ??= outcome
  attempt.closedAt = recorder.now()
  // The client has something to react to.
  noteActivity()
  recorder.recordSocket(attempt.exchange, {
    to: 'signaling-double',
    ...attempt,
    events,
    verdict: attempt.outcome ?? 'left open',
    fault: isFault ? 'did not welcome the client before it gave up' : undefined,
  })
  changeSignal.notify()
}

/** Says whether the backend's double gave the token, and it has not expired. */
export function isValid({ tokenIssuer }: DoubleContext, credential: string | null): boolean {
  const token = credential === null ? undefined : tokenIssuer.find(credential)
  return token !== undefined && !tokenIssuer.isExpired(token)
}
