import type { IncomingMessage } from 'node:http'
import type { KindSchema } from '../../../base/schema/kinds.ts'
import type { Output } from '../../../base/schema/leaves.ts'
import type { MessageCodec } from '../message-codec.ts'
import type { SentParts } from '../sent-parts.ts'
import type { Credential } from '../template.ts'

/** One way for a client to state its userId besides the token: all that the suite knows of it. */
export interface DeclaredUserKind<Schema extends KindSchema, Written = Output<Schema>> {
  /** How a profile writes it. */
  readonly schema: Schema
  /** Returns the parts that the client sends in addition to the carriage: nothing without a userId. */
  send(written: Written, credential: Credential, codec: MessageCodec): SentParts
  /** Where a server finds the userId. */
  readonly read: DeclaredUserReader<Written>
}

export type DeclaredUserReader<Written> =
  | { readonly from: 'nothing' | 'carriage' }
  | { readonly from: 'upgrade'; find(written: Written, request: IncomingMessage): string | null }
  | {
      readonly from: 'message'
      /** Null where the message is not of the declaration's form. */
      find(written: Written, message: string, codec: MessageCodec): Credential | null
    }

export function defineDeclaredUser<Schema extends KindSchema>(
  kind: DeclaredUserKind<Schema>,
): DeclaredUserKind<Schema> {
  return kind
}
