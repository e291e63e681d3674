import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { tokensIn } from '../../../base/tokens/decode.ts'
import { type Credential, fillText, mergeCredentials, readText } from '../template.ts'
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
      let left = offered.filter((protocol) => !protocols.includes(protocol))
      let found: Credential = { jwt: null, userId: null }
      for (const template of sortBySpecificity(protocols)) {
        const chosen = findOffer(template, left)
        if (chosen === null) continue
        found = mergeCredentials(found, chosen.credential)
        left = left.filter((protocol) => protocol !== chosen.protocol)
      }
      return found
    },
    chooseProtocol: ({ protocols }, offered) =>
      protocols.find((protocol) => !protocol.includes('{') && offered.has(protocol)) ?? false,
  },
  split: (_, join) => splitHeaders(join, offeredHeader),
})

/** The templates with most text of their own first: `{jwt}` alone fits every subprotocol. */
function sortBySpecificity(protocols: readonly string[]): string[] {
  const ownText = (template: string) => template.replaceAll(/\{(?:jwt|userId)\}/g, '').length
  return protocols
    .filter((protocol) => protocol.includes('{'))
    .toSorted((one, other) => ownText(other) - ownText(one))
}

/** A client may also offer what the profile does not list: of several that fit, `{jwt}` is the one with a token in it. */
function findOffer(template: string, offered: readonly string[]) {
  const fitting = offered.flatMap((protocol) => {
    const credential = readText(template, protocol)
    return credential === null ? [] : [{ protocol, credential }]
  })
  const wantsToken = template.includes('{jwt}')
  const expected = fitting.find(({ protocol }) => tokensIn(protocol).length > 0 === wantsToken)
  return expected ?? fitting[0] ?? null
}
