import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { fillMessage, readMessage } from '../template.ts'
import { defineDeclaredUser } from './declared-user-kind.ts'

export const message = defineDeclaredUser({
  schema: z.strictObject({
    in: z.literal('message'),
    template: leaf
      .text('text that contains {userId}', (value) => value.includes('{userId}'))
      .describe("Sent after the carriage's message"),
  }),
  send: ({ template }, credential) =>
    credential.userId === null ? {} : { messages: [fillMessage(template, credential)] },
  read: { from: 'message', find: ({ template }, text) => readMessage(template, text) },
  hint: ({ template }) => [{ in: 'text', template }],
})
