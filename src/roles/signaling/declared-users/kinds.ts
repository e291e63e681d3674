import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { messageParts } from '../sent-parts.ts'
import { readHeader, readQuery } from '../upgrade-request.ts'
import { defineDeclaredUser } from './declared-user-kind.ts'

/** The userId is stated nowhere besides the token. */
export const undeclared = defineDeclaredUser({
  schema: z.strictObject({
    in: z.literal('none'),
    detected: z
      .literal(true, { error: 'true, or no such key' })
      .exactOptional()
      .describe('Written by twotoken detect, which found no such place: not confirmed by a person'),
  }),
  send: () => ({}),
  read: { from: 'nothing' },
})

/** The carriage states the userId beside the token. */
export const withCarriage = defineDeclaredUser({
  schema: z.strictObject({ in: z.literal('carriage') }),
  send: () => ({}),
  read: { from: 'carriage' },
})

export const query = defineDeclaredUser({
  schema: z.strictObject({ in: z.literal('query'), name: leaf.parameterName }),
  send: ({ name }, { userId }) => (userId === null ? {} : { query: [[name, userId]] }),
  read: { from: 'upgrade', find: ({ name }, request) => readQuery(request, name) },
})

export const header = defineDeclaredUser({
  schema: z.strictObject({ in: z.literal('header'), name: leaf.sentName }),
  send: ({ name }, { userId }) => (userId === null ? {} : { headers: [[name, userId]] }),
  read: { from: 'upgrade', find: ({ name }, request) => readHeader(request, name) },
})

export const message = defineDeclaredUser({
  schema: z.strictObject({
    in: z.literal('message'),
    template: leaf
      .text('text that contains {userId}', (value) => value.includes('{userId}'))
      .describe("Sent after the carriage's message"),
  }),
  send: ({ template }, credential, codec) =>
    credential.userId === null ? {} : messageParts(codec.fill(template, credential)),
  read: { from: 'message', find: ({ template }, message, codec) => codec.read(template, message) },
})
