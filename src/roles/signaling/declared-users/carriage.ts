import { z } from 'zod'
import { defineDeclaredUser } from './declared-user-kind.ts'

export const withCarriage = defineDeclaredUser({
  schema: z.strictObject({ in: z.literal('carriage') }),
  send: () => ({}),
  read: { from: 'carriage' },
  hint: () => [],
})
