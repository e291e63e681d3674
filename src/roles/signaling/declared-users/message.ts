import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { messageParts } from '../sent-parts.ts'
import { defineDeclaredUser } from './declared-user-kind.ts'

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
  hint: ({ template }) => [{ in: 'text', template }],
})
