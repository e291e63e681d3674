import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { fillText, mergeCredentials, readText } from '../template.ts'
import { readHeader } from '../upgrade-request.ts'
import { defineCarriage } from './carriage-kind.ts'
import { splitHeaders } from './split-headers.ts'

const offeredHeader = 'sec-websocket-protocol'

/** One subprotocol, which may have `{jwt}` and `{userId}` in it. */
export const subprotocolName = leaf.text('a subprotocol without spaces, commas and slashes', (value) =>
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value.replaceAll(/\{(?:jwt|userId)\}/g, 'x')),
)

const subprotocols = z
  .array(subprotocolName, { error: 'a list of subprotocols' })
  .refine((list) => list.some((entry) => entry.includes('{jwt}')), {
    error: 'a list with {jwt} in one of its subprotocols',
  })
  .refine((list) => new Set(list).size === list.length, { error: 'a list that names each subprotocol once' })

export const subprotocol = defineCarriage({
  schema: z.strictObject({
    in: z.literal('subprotocol'),
    protocols: subprotocols.describe('Offered in this order; one of them contains {jwt}'),
  }),
  send: ({ protocols }, credential) => ({
    protocols: protocols
      .filter((protocol) => credential.jwt !== null || !protocol.includes('{jwt}'))
      .map((protocol) => fillText(protocol, credential)),
  }),
  read: {
    from: 'upgrade',
    find({ protocols }, request) {
      const offered = (readHeader(request, offeredHeader) ?? '').split(',').map((text) => text.trim())
      return protocols
        .filter((protocol) => protocol.includes('{'))
        .flatMap((template) => offered.map((protocol) => readText(template, protocol)))
        .filter((found) => found !== null)
        .reduce(mergeCredentials, { jwt: null, userId: null })
    },
    chooseProtocol: ({ protocols }, offered) =>
      protocols.find((protocol) => !protocol.includes('{') && offered.has(protocol)) ?? false,
  },
  split: (_, join) => splitHeaders(join, offeredHeader),
  hint: ({ protocols }) => protocols.map((template) => ({ in: 'subprotocol', template })),
})
