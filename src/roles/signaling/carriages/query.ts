import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { readQuery } from '../upgrade-request.ts'
import { defineCarriage } from './carriage-kind.ts'

export const query = defineCarriage({
  schema: z.strictObject({ in: z.literal('query'), name: leaf.parameterName }),
  send: ({ name }, { jwt }) => (jwt === null ? {} : { query: [[name, jwt]] }),
  read: {
    from: 'upgrade',
    find: ({ name }, request) => ({ jwt: readQuery(request, name), userId: null }),
  },
  split({ name }, join) {
    const url = new URL(join.url)
    const credential = url.searchParams.getAll(name)
    url.searchParams.delete(name)
    return { credential, rest: { ...join, url: url.href } }
  },
})
