import { z } from 'zod'
import { defineDeclaredUser } from './declared-user-kind.ts'

export const undeclared = defineDeclaredUser({
  schema: z.strictObject({ in: z.literal('none') }),
  send: () => ({}),
  read: { from: 'nothing' },
  hint: () => [],
})
