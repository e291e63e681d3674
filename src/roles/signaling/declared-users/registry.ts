import type { IncomingMessage } from 'node:http'
import { findKind, type KindSchema, type Kinds, unionOfKinds } from '../../../base/schema/kinds.ts'
import type { Output } from '../../../base/schema/leaves.ts'
import type { MessageCodec } from '../message-codec.ts'
import type { SentParts } from '../sent-parts.ts'
import type { Credential } from '../template.ts'
import type { DeclaredUserKind } from './declared-user-kind.ts'
import { header, message, query, undeclared, withCarriage } from './kinds.ts'

/** Every way to state a userId that a profile may name, in the order in which its schema does. */
const kinds = [undeclared, withCarriage, query, header, message] as const

export const declaredUserSchema = unionOfKinds(kinds)

/** How a client states its userId besides the token. */
export type DeclaredUser = Output<typeof declaredUserSchema>

const kindOf = (declared: DeclaredUser) =>
  findKind<DeclaredUserKind<KindSchema>>(kinds satisfies Kinds<DeclaredUserKind<KindSchema>>, declared)

export function sendDeclaredUser(
  declared: DeclaredUser,
  credential: Credential,
  codec: MessageCodec,
): SentParts {
  return kindOf(declared).send(declared, credential, codec)
}

/** The userId that the upgrade request states, beside what the carriage found in it; null where it states none. */
export function readDeclaredUser(
  declared: DeclaredUser,
  request: IncomingMessage,
  carried: Credential,
): string | null {
  const { read } = kindOf(declared)
  if (read.from === 'carriage') return carried.userId
  return read.from === 'upgrade' ? read.find(declared, request) : null
}

/**
 * Reads the statement in a message; null where it is not of the declaration's form, or messages state
 * nothing.
 */
export function readDeclaringMessage(
  declared: DeclaredUser,
  message: string,
  codec: MessageCodec,
): Credential | null {
  const { read } = kindOf(declared)
  return read.from === 'message' ? read.find(declared, message, codec) : null
}
