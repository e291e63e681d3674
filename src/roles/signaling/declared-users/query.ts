import { z } from 'zod'
import { parameterName } from '../sent-name.ts'
import { readQuery } from '../upgrade-request.ts'
import { defineDeclaredUser } from './declared-user-kind.ts'

export const query = defineDeclaredUser({
  schema: z.strictObject({ in: z.literal('query'), name: parameterName }),
  send: ({ name }, { userId }) => (userId === null ? {} : { query: [[name, userId]] }),
  read: { from: 'upgrade', find: ({ name }, request) => readQuery(request, name) },
  hint: ({ name }) => [{ in: 'query', name, template: '{userId}' }],
})
