import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { messageParts } from '../sent-parts.ts'
import { frameSign, textSign } from '../signs.ts'
import { defineCarriage } from './carriage-kind.ts'

export const message = defineCarriage({
  schema: z.strictObject({
    in: z.literal('message'),
    template: leaf
      .text('text that contains {jwt}', (value) => value.includes('{jwt}'))
      .describe('The message that carries the token'),
    after: z
      .union([z.literal('open'), frameSign, textSign], { error: 'open, { frame: … } or { text: … }' })
      .default('open')
      .describe('Send it once the socket is open, or after a frame of the service'),
  }),
  send: ({ template }, credential, codec) => messageParts(codec.fill(template, credential)),
  read: {
    from: 'message',
    cue: ({ after }) => after,
    find: ({ template }, message, codec) => codec.read(template, message),
  },
  split({ template }, join, codec) {
    const found = join.messages.findIndex((one) => codec.read(template, one) !== null)
    // A message of another form is a credential all the same, where nothing else is.
    const at = Math.max(0, found)
    return {
      credential: join.messages.slice(at, at + 1).map((one) => codec.toContent(one).text),
      rest: { ...join, messages: join.messages.toSpliced(at, 1) },
    }
  },
})
