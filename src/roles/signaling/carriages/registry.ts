import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Headers } from '../../../base/http/headers.ts'
import * as leaf from '../../../base/schema/leaves.ts'
import { tokensIn } from '../../../base/tokens/decode.ts'
import type { MessageCodec } from '../message-codec.ts'
import { type Cue, frameSign, textSign } from '../signs.ts'
import { type Credential, fillText, mergeCredentials, none, readText } from '../template.ts'

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

const header = z.strictObject({
  in: z.literal('header'),
  name: leaf.sentName,
  template: leaf
    .text(
      'text that contains {jwt}, in one line',
      (value) => value.includes('{jwt}') && leaf.isPrintable(value),
    )
    .describe('The value of the header, such as Bearer {jwt}'),
})
const subprotocol = z.strictObject({
  in: z.literal('subprotocol'),
  protocols: subprotocols.describe('Offered in this order; one of them contains {jwt}'),
})
const query = z.strictObject({ in: z.literal('query'), name: leaf.parameterName })
const cookie = z.strictObject({ in: z.literal('cookie'), name: leaf.sentName })
const message = z.strictObject({
  in: z.literal('message'),
  template: leaf
    .text('text that contains {jwt}', (value) => value.includes('{jwt}'))
    .describe('The message that carries the token'),
  after: z
    .union([z.literal('open'), frameSign, textSign], { error: 'open, { frame: … } or { text: … }' })
    .default('open')
    .describe('Send it once the socket is open, or after a frame of the service'),
})
const schema = z.discriminatedUnion('in', [header, subprotocol, query, cookie, message], {
  error: 'header, subprotocol, query, cookie or message',
})

/** How a client carries the calling token to signaling. */
export type Carriage = leaf.Output<typeof schema>

/** Parts that one setting of a profile adds to the upgrade request, and to the messages that follow it. */
export interface SentParts {
  readonly headers?: Headers
  readonly query?: readonly (readonly [name: string, value: string])[]
  readonly protocols?: readonly string[]
  readonly messages?: readonly string[]
  /** Why the credential cannot be sent there, as a clause without any secret. */
  readonly illegal?: string
}

/** A separate message; null where the credential is too long for its form. */
export function messageParts(message: string | null): SentParts {
  return message === null
    ? { illegal: 'the value is longer than the length before it can say' }
    : { messages: [message] }
}

/** An attempt to join, as a server recorded it; the names of headers are in lower case. */
export interface RecordedJoin {
  readonly url: string
  readonly headers: Headers
  readonly messages: readonly string[]
}

interface SplitJoin {
  /** Headers as `name: value`, messages and parameters as they are. */
  readonly credential: readonly string[]
  readonly rest: RecordedJoin
}

/** RFC 6265, cookie-octet. */
const cookieValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/** All that is known of the ways in which a token travels. */
export const carriages = {
  schema,
  /** Without a token, what has `{jwt}` in it is left out, except a message, whose token is then empty. */
  send(carriage: Carriage, credential: Credential, codec: MessageCodec): SentParts {
    const { jwt } = credential
    const isSent = (template: string) => jwt !== null || !template.includes('{jwt}')
    switch (carriage.in) {
      case 'header':
        return isSent(carriage.template)
          ? { headers: [[carriage.name, fillText(carriage.template, credential)]] }
          : {}
      case 'subprotocol':
        return { protocols: carriage.protocols.filter(isSent).map((one) => fillText(one, credential)) }
      case 'query':
        return jwt === null ? {} : { query: [[carriage.name, jwt]] }
      case 'cookie':
        if (jwt === null) return {}
        return cookieValue.test(jwt)
          ? { headers: [['Cookie', `${carriage.name}=${jwt}`]] }
          : { illegal: 'the credential is not legal in a cookie' }
      case 'message':
        return messageParts(codec.fill(carriage.template, credential))
    }
  },
  /** The cue of the message with the credential; null where the upgrade request carries the credential. */
  cueOf: (carriage: Carriage): Cue | null => (carriage.in === 'message' ? carriage.after : null),
  /** Reads the credential in an upgrade request: none where a message carries it. */
  readUpgrade(carriage: Carriage, request: IncomingMessage): Credential {
    switch (carriage.in) {
      case 'header':
        return readText(carriage.template, readHeader(request, carriage.name) ?? '') ?? none
      case 'subprotocol':
        return readOffers(carriage.protocols, readHeader(request, offeredHeader) ?? '')
      case 'query':
        return { ...none, jwt: readQuery(request, carriage.name) }
      case 'cookie':
        return { ...none, jwt: readCookie(request, carriage.name) }
      case 'message':
        return none
    }
  },
  /** Null where the message is not of the carriage's form. */
  readMessage: (carriage: Carriage, text: string, codec: MessageCodec): Credential | null =>
    carriage.in === 'message' ? codec.read(carriage.template, text) : null,
  /** The subprotocol that a server chooses, never the one with the credential; false where the carriage names none. */
  chooseProtocol(carriage: Carriage, offered: ReadonlySet<string>): string | false {
    const protocols = carriage.in === 'subprotocol' ? carriage.protocols : []
    return protocols.find((protocol) => !protocol.includes('{') && offered.has(protocol)) ?? false
  },
  /** Which part of a recorded attempt is the credential, and which is everything else. */
  split(carriage: Carriage, join: RecordedJoin, codec: MessageCodec): SplitJoin {
    switch (carriage.in) {
      case 'header':
        return splitHeaders(join, carriage.name)
      case 'subprotocol':
        return splitHeaders(join, offeredHeader)
      case 'cookie':
        return splitHeaders(join, 'cookie')
      case 'query': {
        const url = new URL(join.url)
        const credential = url.searchParams.getAll(carriage.name)
        url.searchParams.delete(carriage.name)
        return { credential, rest: { ...join, url: url.href } }
      }
      case 'message': {
        const found = join.messages.findIndex((one) => codec.read(carriage.template, one) !== null)
        // A message of another form is a credential all the same, where nothing else is.
        const at = Math.max(0, found)
        return {
          credential: join.messages.slice(at, at + 1).map((one) => codec.toContent(one).text),
          rest: { ...join, messages: join.messages.toSpliced(at, 1) },
        }
      }
    }
  },
  /** The client states its userId together with the token. */
  carriesUser: (carriage: Carriage): boolean => JSON.stringify(carriage).includes('{userId}'),
}

/** Takes every header of this name for the credential. */
function splitHeaders(join: RecordedJoin, name: string): SplitJoin {
  const isCredential = ([other]: readonly [string, string]) => other === name.toLowerCase()
  return {
    credential: join.headers.filter(isCredential).map(([other, value]) => `${other}: ${value}`),
    rest: { ...join, headers: join.headers.filter((pair) => !isCredential(pair)) },
  }
}

export function readQuery(request: IncomingMessage, name: string): string | null {
  return new URL(request.url ?? '/', 'wss://localhost').searchParams.get(name)
}

/** All values of the header in one text, in any case of its name. */
export function readHeader(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name.toLowerCase()]
  return value === undefined ? null : [value].flat().join(', ')
}

function readCookie(request: IncomingMessage, name: string): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
}

/** @param header the value of the header with the offers */
function readOffers(protocols: readonly string[], header: string): Credential {
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
