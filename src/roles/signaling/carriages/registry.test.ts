import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { textCodec } from '../message-codec.ts'
import type { SentParts } from '../sent-parts.ts'
import { readHeader } from '../upgrade-request.ts'
import { defineCarriage, type RecordedJoin } from './carriage-kind.ts'
import { createCarriageRegistry } from './create-registry.ts'
import { type Carriage, carriageKinds, carriages } from './registry.ts'

/** A token in two headers, each with half of it. */
const halves = defineCarriage({
  schema: z.strictObject({ in: z.literal('new'), name: z.string() }),
  send({ name }, { jwt }) {
    if (jwt === null) return {}
    const middle = Math.floor(jwt.length / 2)
    return {
      headers: [
        [`${name}-1`, jwt.slice(0, middle)],
        [`${name}-2`, jwt.slice(middle)],
      ],
    }
  },
  read: {
    from: 'upgrade',
    find({ name }, request) {
      const [first, second] = [readHeader(request, `${name}-1`), readHeader(request, `${name}-2`)]
      return { jwt: first === null || second === null ? null : first + second, userId: null }
    },
  },
  split({ name }, join) {
    const isHalf = ([other]: readonly [string, string]) => other.replace(/-[12]$/, '') === name.toLowerCase()
    return {
      credential: [
        join.headers
          .filter(isHalf)
          .map(([, value]) => value)
          .join(''),
      ],
      rest: { ...join, headers: join.headers.filter((pair) => !isHalf(pair)) },
    }
  },
})

const extended = createCarriageRegistry([...carriageKinds, halves])
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

test.each<Parameters<typeof extended.send>[0]>([
  { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
  { in: 'subprotocol', protocols: ['calling.v2', 'bearer.{jwt}'] },
  { in: 'query', name: 'access_token' },
  { in: 'cookie', name: 'calling_token' },
  { in: 'message', template: '{"token":"{jwt}"}', after: 'open' },
  { in: 'new', name: 'X-Half' },
])('reads the credential that was sent, and splits it from the rest: $in', (carriage) => {
  const join = recordJoin(extended.send(carriage, credential, textCodec))
  const byMessage = extended.cueOf(carriage) !== null
  const found = byMessage
    ? extended.readMessage(carriage, join.messages[0] ?? '', textCodec)
    : extended.readUpgrade(carriage, upgradeOf(join))
  expect(found).toEqual({ jwt: credential.jwt, userId: null })
  const { credential: shown, rest } = extended.split(carriage, join, textCodec)
  expect(shown.join('\n')).toContain(credential.jwt)
  expect(rest.headers).toContainEqual(['x-other', 'kept'])
  expect(rest.messages).toContain('a later message')
  expect(JSON.stringify(rest)).not.toContain(credential.jwt)
  expect(rest.url).toBe('wss://signal.example/ws?v=2')
  const without = recordJoin(extended.send(carriage, { jwt: null, userId: null }, textCodec))
  expect(extended.readUpgrade(carriage, upgradeOf(without)).jwt).toBeNull()
})

test.each<{ protocols: string[]; offered: string[]; userId?: string }>([
  { protocols: ['access_token', '{jwt}'], offered: ['access_token', token] },
  { protocols: ['{jwt}'], offered: ['json.v1', token] },
  { protocols: ['auth', '{jwt}', 'as.{userId}'], offered: ['auth', token, 'as.ann'], userId: 'ann' },
  { protocols: ['{userId}', '{jwt}'], offered: [token, 'ann'], userId: 'ann' },
])('reads the token of $protocols, not another subprotocol', ({ protocols, offered, userId = null }) => {
  const join = recordJoin({ protocols: offered })
  expect(extended.readUpgrade({ in: 'subprotocol', protocols }, upgradeOf(join))).toEqual({
    jwt: token,
    userId,
  })
})

test('reads no token where only a fixed subprotocol is offered', () => {
  const join = recordJoin({ protocols: ['access_token'] })
  const carriage = { in: 'subprotocol', protocols: ['access_token', '{jwt}'] } as const
  expect(extended.readUpgrade(carriage, upgradeOf(join))).toEqual({ jwt: null, userId: null })
})

describe('a carriage of a new kind', () => {
  test('is one of the schema, which names it among the others', () => {
    expect(extended.schema.parse({ in: 'new', name: 'X-Half' })).toEqual({ in: 'new', name: 'X-Half' })
    expect(extended.schema.safeParse({ in: 'other' }).error?.issues[0]?.message).toMatch(
      /^header, .+ or new$/,
    )
  })

  test('is none of a registry without it, by its types as well', () => {
    const carriage = { in: 'new', name: 'X-Half' } as const
    expect(carriages.schema.safeParse(carriage).success).toBe(false)
    // @ts-expect-error the registry does not list this kind
    const unlisted: Carriage = carriage
    // @ts-expect-error the registry does not list this kind
    expect(() => carriages.send(carriage, credential, textCodec)).toThrow('unknown kind "new"')
    expect(unlisted).toBe(carriage)
  })

  test('does not compile where something of it is missing', () => {
    const { split: _, ...incomplete } = halves
    // @ts-expect-error a kind splits a recorded attempt
    expect(createCarriageRegistry([...carriageKinds, incomplete])).toBeDefined()
  })
})
