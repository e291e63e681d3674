import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import {
  type Carriage,
  carriages,
  messageParts,
  readHeader,
  readQuery,
  type SentParts,
} from '../carriages/registry.ts'
import type { MessageCodec } from '../message-codec.ts'
import type { Credential } from '../template.ts'

/** The userId is stated nowhere besides the token. */
const undeclared = z.strictObject({
  in: z.literal('none'),
  detected: z
    .literal(true, { error: 'true, or no such key' })
    .exactOptional()
    .describe('Written by twotoken detect, which found no such place: not confirmed by a person'),
})
/** The carriage states the userId beside the token. */
const withCarriage = z.strictObject({ in: z.literal('carriage') })
const query = z.strictObject({ in: z.literal('query'), name: leaf.parameterName })
const header = z.strictObject({ in: z.literal('header'), name: leaf.sentName })
const message = z.strictObject({
  in: z.literal('message'),
  template: leaf
    .text('text that contains {userId}', (value) => value.includes('{userId}'))
    .describe("Sent after the carriage's message"),
})
export const declaredUserSchema = z.discriminatedUnion(
  'in',
  [undeclared, withCarriage, query, header, message],
  { error: 'none, carriage, query, header or message' },
)

/** How a client states its userId besides the token. */
export type DeclaredUser = leaf.Output<typeof declaredUserSchema>

/** Adds the userId to what the carriage sends: nothing without a userId. */
export function sendDeclaredUser(
  declared: DeclaredUser,
  credential: Credential,
  codec: MessageCodec,
): SentParts {
  const { userId } = credential
  if (userId === null) return {}
  if (declared.in === 'query') return { query: [[declared.name, userId]] }
  if (declared.in === 'header') return { headers: [[declared.name, userId]] }
  return declared.in === 'message' ? messageParts(codec.fill(declared.template, credential)) : {}
}

/** Reads token and userId in the upgrade request: null where there is none, or where it comes later in a message. */
export function readUpgrade(
  request: IncomingMessage,
  { carriage, declaredUser }: { readonly carriage: Carriage; readonly declaredUser: DeclaredUser },
): Credential {
  const { jwt, userId } = carriages.readUpgrade(carriage, request)
  if (declaredUser.in === 'carriage') return { jwt, userId }
  if (declaredUser.in === 'query') return { jwt, userId: readQuery(request, declaredUser.name) }
  return { jwt, userId: declaredUser.in === 'header' ? readHeader(request, declaredUser.name) : null }
}

/** Null where the message is not of the declaration's form, or messages state nothing. */
export function readDeclaringMessage(
  declared: DeclaredUser,
  text: string,
  codec: MessageCodec,
): Credential | null {
  return declared.in === 'message' ? codec.read(declared.template, text) : null
}
