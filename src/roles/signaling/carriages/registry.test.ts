import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { textCodec } from '../message-codec.ts'
import { carriages, type RecordedJoin, type SentParts } from './registry.ts'

const credential = { jwt: 'aa.bb.cc', userId: 'ann' }
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const token = `${encode({ alg: 'HS256' })}.${encode({ sub: 'ann' })}.c2ln`

/** Records the client's parts as a server sees them. */
function recordJoin({ headers = [], query = [], protocols = [], messages = [] }: SentParts): RecordedJoin {
  const url = new URL('wss://signal.example/ws?v=2')
  for (const [name, value] of query) url.searchParams.append(name, value)
  const offered = protocols.length === 0 ? [] : [['Sec-WebSocket-Protocol', protocols.join(', ')] as const]
  const all = [['X-Other', 'kept'] as const, ...headers, ...offered]
  return {
    url: url.href,
    headers: all.map(([name, value]) => [name.toLowerCase(), value]),
    messages: [...messages, 'a later message'],
  }
}

function upgradeOf({ url, headers }: RecordedJoin): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.url = url.slice(url.indexOf('/ws'))
  request.headers = Object.fromEntries(headers)
  return request
}

test.each<Parameters<typeof carriages.send>[0]>([
  { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
  { in: 'subprotocol', protocols: ['calling.v2', 'bearer.{jwt}'] },
  { in: 'query', name: 'access_token' },
  { in: 'cookie', name: 'calling_token' },
  { in: 'message', template: '{"token":"{jwt}"}', after: 'open' },
])('reads the credential that was sent, and splits it from the rest: $in', (carriage) => {
  const join = recordJoin(carriages.send(carriage, credential, textCodec))
  const byMessage = carriages.cueOf(carriage) !== null
  const found = byMessage
    ? carriages.readMessage(carriage, join.messages[0] ?? '', textCodec)
    : carriages.readUpgrade(carriage, upgradeOf(join))
  expect(found).toEqual({ jwt: credential.jwt, userId: null })
  const { credential: shown, rest } = carriages.split(carriage, join, textCodec)
  expect(shown.join('\n')).toContain(credential.jwt)
  expect(rest.headers).toContainEqual(['x-other', 'kept'])
  expect(rest.messages).toContain('a later message')
  expect(JSON.stringify(rest)).not.toContain(credential.jwt)
  expect(rest.url).toBe('wss://signal.example/ws?v=2')
  const without = recordJoin(carriages.send(carriage, { jwt: null, userId: null }, textCodec))
  expect(carriages.readUpgrade(carriage, upgradeOf(without)).jwt).toBeNull()
})

test.each<{ protocols: string[]; offered: string[]; userId?: string }>([
  { protocols: ['access_token', '{jwt}'], offered: ['access_token', token] },
  { protocols: ['{jwt}'], offered: ['json.v1', token] },
  { protocols: ['auth', '{jwt}', 'as.{userId}'], offered: ['auth', token, 'as.ann'], userId: 'ann' },
  { protocols: ['{userId}', '{jwt}'], offered: [token, 'ann'], userId: 'ann' },
])('reads the token of $protocols, not another subprotocol', ({ protocols, offered, userId = null }) => {
  const join = recordJoin({ protocols: offered })
  expect(carriages.readUpgrade({ in: 'subprotocol', protocols }, upgradeOf(join))).toEqual({
    jwt: token,
    userId,
  })
})

test('reads no token where only a fixed subprotocol is offered', () => {
  const join = recordJoin({ protocols: ['access_token'] })
  const carriage = { in: 'subprotocol', protocols: ['access_token', '{jwt}'] } as const
  expect(carriages.readUpgrade(carriage, upgradeOf(join))).toEqual({ jwt: null, userId: null })
})
