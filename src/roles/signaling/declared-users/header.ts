import { z } from 'zod'
import { sentName } from '../sent-name.ts'
import { readHeader } from '../upgrade-request.ts'
import { defineDeclaredUser } from './declared-user-kind.ts'

export const header = defineDeclaredUser({
  schema: z.strictObject({ in: z.literal('header'), name: sentName }),
  send: ({ name }, { userId }) => (userId === null ? {} : { headers: [[name, userId]] }),
  read: { from: 'upgrade', find: ({ name }, request) => readHeader(request, name) },
  hint: ({ name }) => [{ in: 'header', name, template: '{userId}' }],
})
