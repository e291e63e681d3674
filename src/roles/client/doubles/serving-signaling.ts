import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { SignalingDouble } from '../types.ts'

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
  /** Everything that the client sent to signaling. */
  texts(): readonly SignalingText[]
  /** Cuts what is open and records it. */
  end(): void
}

/** Progress of a connection, by which each end knows how far the other has come. */
export interface ConnectionProgress {
  /** The `Sec-WebSocket-Key` of its upgrade. */
  readonly key: string | null
  /** Frames that the double has sent. */
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
