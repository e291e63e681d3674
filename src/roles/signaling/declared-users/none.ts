import { z } from 'zod'
import { defineDeclaredUser } from './declared-user-kind.ts'

export const undeclared = defineDeclaredUser({
  schema: z.strictObject({
    in: z.literal('none'),
    detected: z
      .literal(true, { error: 'true, or no such key' })
      .exactOptional()
      .describe('twotoken detect wrote it: nobody has confirmed that there is no such place'),
  }),
  send: () => ({}),
  read: { from: 'nothing' },
  hint: () => [],
})
