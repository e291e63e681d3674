import { z } from 'zod'
import { defineDeclaredUser } from './declared-user-kind.ts'

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
  hint: () => [],
})
