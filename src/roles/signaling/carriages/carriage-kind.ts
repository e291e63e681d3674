import type { IncomingMessage } from 'node:http'
import type { Headers } from '../../../base/http/headers.ts'
import type { KindSchema } from '../../../base/schema/kinds.ts'
import type { Output } from '../../../base/schema/leaves.ts'
import type { MessageCodec } from '../message-codec.ts'
import type { SentParts } from '../sent-parts.ts'
import type { MessageSign } from '../signs.ts'
import type { Credential } from '../template.ts'

/** One way for a client to carry the calling token to signaling: all that the suite knows of it. */
export interface CarriageKind<Schema extends KindSchema, Written = Output<Schema>> {
  /** How a profile writes it. */
  readonly schema: Schema
  /** Without a token, what has `{jwt}` in it is left out, except a message, whose token is then empty. */
  send(written: Written, credential: Credential, codec: MessageCodec): SentParts
  readonly read: CarriageReader<Written>
  /** Which part of a recorded attempt is the credential, and which is everything else. */
  split(written: Written, join: RecordedJoin, codec: MessageCodec): SplitJoin
}

export type CarriageReader<Written> =
  | {
      readonly from: 'upgrade'
      find(written: Written, request: IncomingMessage): Credential
      /** The subprotocol that a server chooses of those offered: never the one with the credential in it. */
      chooseProtocol?(written: Written, offered: ReadonlySet<string>): string | false
    }
  | {
      readonly from: 'message'
      /** Returns the cue that the client waits for before it sends the message. */
      cue(written: Written): Cue
      /** Null where the message is not of the carriage's form. */
      find(written: Written, message: string, codec: MessageCodec): Credential | null
    }

/** The socket is open, or a frame of the service shows the sign. */
export type Cue = 'open' | MessageSign

/** An attempt to join, as a server recorded it; the names of headers are in lower case. */
export interface RecordedJoin {
  readonly url: string
  readonly headers: Headers
  readonly messages: readonly string[]
}

export interface SplitJoin {
  /** Headers as `name: value`, messages and parameters as they are. */
  readonly credential: readonly string[]
  readonly rest: RecordedJoin
}

export function defineCarriage<Schema extends KindSchema>(kind: CarriageKind<Schema>): CarriageKind<Schema> {
  return kind
}
