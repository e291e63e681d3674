import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { tokensIn } from '../../../base/tokens/decode.ts'
import { type Credential, mergeCredentials, none, readText } from '../template.ts'

export const offeredHeader = 'sec-websocket-protocol'

/** One subprotocol, which may have `{jwt}` and `{userId}` in it. */
export const subprotocolName = leaf.text('a subprotocol without spaces, commas and slashes', (value) =>
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value.replaceAll(/\{(?:jwt|userId)\}/g, 'x')),
)

export const subprotocols = z
  .array(subprotocolName, { error: 'a list of subprotocols' })
  .refine((list) => list.some((entry) => entry.includes('{jwt}')), {
    error: 'a list with {jwt} in one of its subprotocols',
  })
  .refine((list) => new Set(list).size === list.length, { error: 'a list that names each subprotocol once' })

/** @param header the value of the header with the offers */
export function readOffers(protocols: readonly string[], header: string): Credential {
  const offered = header.split(',').map((text) => text.trim())
  let left = offered.filter((protocol) => !protocols.includes(protocol))
  let found = none
  for (const template of sortBySpecificity(protocols)) {
    const chosen = findOffer(template, left)
    if (chosen === null) continue
    found = mergeCredentials(found, chosen.credential)
    left = left.filter((protocol) => protocol !== chosen.protocol)
  }
  return found
}

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
