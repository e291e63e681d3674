import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { readCookie } from '../upgrade-request.ts'
import { defineCarriage } from './carriage-kind.ts'
import { splitHeaders } from './split-headers.ts'

/** RFC 6265, cookie-octet. */
const cookieValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

export const cookie = defineCarriage({
  schema: z.strictObject({ in: z.literal('cookie'), name: leaf.sentName }),
  send({ name }, { jwt }) {
    if (jwt === null) return {}
    if (!cookieValue.test(jwt)) return { illegal: 'the credential is not legal in a cookie' }
    return { headers: [['Cookie', `${name}=${jwt}`]] }
  },
  read: {
    from: 'upgrade',
    find: ({ name }, request) => ({ jwt: readCookie(request, name), userId: null }),
  },
  split: (_, join) => splitHeaders(join, 'cookie'),
})
