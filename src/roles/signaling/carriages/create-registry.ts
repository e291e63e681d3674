import type { IncomingMessage } from 'node:http'
import { findKind, type KindSchema, type Kinds, unionOfKinds } from '../../../base/schema/kinds.ts'
import type { Output } from '../../../base/schema/leaves.ts'
import type { MessageCodec } from '../message-codec.ts'
import type { SentParts } from '../sent-parts.ts'
import type { Credential } from '../template.ts'
import type { CarriageKind, Cue, RecordedJoin, SplitJoin } from './carriage-kind.ts'

type AnyCarriageKind = CarriageKind<KindSchema>

export function createCarriageRegistry<const Some extends Kinds<AnyCarriageKind>>(kinds: Some) {
  type Carriage = Output<Some[number]['schema']>
  const readerOf = (carriage: Carriage) => findKind(kinds, carriage).read
  return {
    schema: unionOfKinds(kinds),
    send: (carriage: Carriage, credential: Credential, codec: MessageCodec): SentParts =>
      findKind(kinds, carriage).send(carriage, credential, codec),
    /**
     * Returns the cue of the message with the credential; null where the upgrade request carries the
     * credential.
     */
    cueOf(carriage: Carriage): Cue | null {
      const reader = readerOf(carriage)
      return reader.from === 'message' ? reader.cue(carriage) : null
    },
    /** Reads the credential in the upgrade request: nothing where a message carries it. */
    readUpgrade(carriage: Carriage, request: IncomingMessage): Credential {
      const reader = readerOf(carriage)
      return reader.from === 'upgrade' ? reader.find(carriage, request) : { jwt: null, userId: null }
    },
    readMessage(carriage: Carriage, message: string, codec: MessageCodec): Credential | null {
      const reader = readerOf(carriage)
      return reader.from === 'message' ? reader.find(carriage, message, codec) : null
    },
    /** The subprotocol that a server chooses of those offered; false where the carriage names none of them. */
    chooseProtocol(carriage: Carriage, offered: ReadonlySet<string>): string | false {
      const reader = readerOf(carriage)
      return (reader.from === 'upgrade' && reader.chooseProtocol?.(carriage, offered)) || false
    },
    split: (carriage: Carriage, join: RecordedJoin, codec: MessageCodec): SplitJoin =>
      findKind(kinds, carriage).split(carriage, join, codec),
    /** The client states its userId together with the token. */
    carriesUser: (carriage: Carriage): boolean => JSON.stringify(carriage).includes('{userId}'),
  }
}
