import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { detected } from './testing.ts'

const bearerOf = ({ headers }: IncomingMessage) => /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1]
const queryOf = ({ url = '/' }: IncomingMessage, name: string) =>
  new URL(url, 'ws://localhost').searchParams.get(name)
const welcome = JSON.stringify({ type: 'welcome' })
const timeout = 120_000

interface Told {
  readonly type?: unknown
  readonly token?: string
  readonly id?: unknown
  readonly params?: { readonly token?: string }
  readonly payload?: { readonly token?: string }
}

function told(text: string): Told {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

describe('finds', { concurrent: true, timeout }, () => {
  test('a header, with the upgrade refused', async () => {
    const found = await detected(({ userOf }) => ({
      status: (request) => (userOf(bearerOf(request)) === undefined ? 401 : 101),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toMatchObject({
      profile: {
        carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
        declaredUser: { in: 'none' },
        success: [{ frame: { path: '$.type', equals: 'welcome' } }],
        failure: [{ http: [401] }],
        unauthorized: [{ http: [401] }],
      },
    })
  })

  test('the place that leaks least of several', async () => {
    const found = await detected(({ userOf }) => ({
      status: (request) => (userOf(bearerOf(request) ?? queryOf(request, 'token')) === undefined ? 403 : 101),
    }))
    expect(found).toMatchObject({ profile: { carriage: { in: 'header' }, failure: [{ http: [403] }] } })
    // 403 is no 401: whether clients take it for one is not for us to say.
    expect(found).toHaveProperty('profile.unauthorized', [])
  })

  test('a message of JSON-RPC, answered with a result or an error', async () => {
    const found = await detected(({ userOf }) => ({
      message: (socket, text) => {
        const { id, params } = told(text)
        const result =
          userOf(params?.token) === undefined ? { error: { code: 401 } } : { result: { ok: true } }
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...result }))
      },
    }))
    expect(found).toMatchObject({
      profile: {
        carriage: { in: 'message', template: '{"params":{"token":"{jwt}"}}', after: 'open' },
        success: [{ frame: { path: '$.result.ok', equals: true } }],
        unauthorized: [{ frame: { path: '$.error.code', equals: 401 } }],
      },
    })
  })

  test('a subprotocol that has to be there, and connection_init', async () => {
    const found = await detected(({ userOf }) => ({
      subprotocol: 'graphql-transport-ws',
      status: (request) =>
        (request.headers['sec-websocket-protocol'] ?? '').includes('graphql-transport-ws') ? 101 : 400,
      message: (socket, text) => {
        const { type, payload } = told(text)
        if (type !== 'connection_init') socket.close(4400)
        else if (userOf(payload?.token) === undefined) socket.close(4403, 'Forbidden')
        else socket.send('{"type":"connection_ack"}')
      },
    }))
    expect(found).toMatchObject({
      profile: {
        subprotocols: ['graphql-transport-ws'],
        carriage: { in: 'message', template: '{"type":"connection_init","payload":{"token":"{jwt}"}}' },
        success: [{ frame: { path: '$.type', equals: 'connection_ack' } }],
        failure: [{ close: [4403] }],
      },
    })
  })

  test('a declaration that is believed, and says so', async () => {
    const found = await detected(({ userOf }) => ({
      status: (request) => (userOf(bearerOf(request)) === undefined ? 401 : 101),
      open: (socket, request) =>
        socket.send(
          JSON.stringify({ type: 'ready', you: queryOf(request, 'userId') ?? userOf(bearerOf(request)) }),
        ),
    }))
    expect(found).toMatchObject({
      declaration: 'believed',
      profile: { declaredUser: { in: 'query', name: 'userId' } },
    })
  })

  test('a declaration that may be left out, but not be wrong', async () => {
    const found = await detected(({ userOf }) => ({
      status: (request) => {
        const user = userOf(bearerOf(request))
        return user === undefined || user !== (queryOf(request, 'uid') ?? user) ? 401 : 101
      },
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toMatchObject({
      declaration: 'compared',
      profile: { declaredUser: { in: 'query', name: 'uid' } },
    })
  })

  test('a service that speaks only after it was asked for by a challenge', async () => {
    const found = await detected(({ userOf }) => {
      const asked = new WeakSet<object>()
      return {
        open: (socket) => {
          setTimeout(() => {
            asked.add(socket)
            socket.send('{"type":"challenge","nonce":"0123456789abcdef"}')
          }, 50)
        },
        message: (socket, text) => {
          if (!asked.has(socket)) return socket.close(4400)
          return userOf(told(text).token) === undefined ? socket.close(4401) : socket.send(welcome)
        },
      }
    })
    expect(found).toMatchObject({
      profile: { carriage: { in: 'message', after: { frame: { path: '$.type', equals: 'challenge' } } } },
    })
  })

  test('decisions that take their time', async () => {
    const found = await detected(({ userOf }) => ({
      open: (socket, request) => {
        setTimeout(
          () => (userOf(bearerOf(request)) === undefined ? socket.close(4401) : socket.send(welcome)),
          300,
        )
      },
    }))
    expect(found).toMatchObject({ profile: { failure: [{ close: [4401] }] } })
  })

  test('words of a protocol that is no JSON', async () => {
    const found = await detected(({ userOf }) => ({
      message: (socket, text) => {
        const token = /^AUTH (\S+)$/.exec(text)?.[1]
        socket.send(userOf(token) === undefined ? '-ERR not authorized' : '+OK nice to see you')
      },
    }))
    expect(found).toMatchObject({
      profile: {
        carriage: { template: 'AUTH {jwt}' },
        success: [{ text: { startsWith: '+OK' } }],
        failure: [{ text: { startsWith: '-ERR not authorized' } }],
      },
    })
  })

  test('what a limit on the rate lets through after a while', async () => {
    let tries = 0
    const found = await detected(({ userOf }) => ({
      status: (request) => {
        tries += 1
        if (tries > 20 && tries < 24) return 429
        return userOf(bearerOf(request)) === undefined ? 401 : 101
      },
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toMatchObject({ profile: { carriage: { in: 'header' }, failure: [{ http: [401] }] } })
  })
})

describe('finds nothing, and says why, where', { concurrent: true, timeout }, () => {
  test('everybody is let in', async () => {
    const found = await detected(() => ({ open: (socket) => socket.send(welcome) }))
    expect(found).toContain('takes every connection')
  })

  test('everybody is refused', async () => {
    expect(await detected(() => ({ status: () => 401 }))).toContain('answers 401 whatever is offered')
  })

  test('there is no such path', async () => {
    expect(await detected(() => ({ status: () => 404 }))).toContain(
      'whether the path of signaling.url is right',
    )
  })

  test('everything is sent back', async () => {
    const found = await detected(() => ({
      message: (socket, text) => socket.send(text),
    }))
    expect(found).toContain('takes every connection')
  })

  test('everything is answered with what it held', async () => {
    const found = await detected(() => ({
      open: (socket, request) => socket.send(JSON.stringify({ headers: request.headers, url: request.url })),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('a good token is only tolerated for a while', async () => {
    const found = await detected(({ userOf }) => ({
      message: (socket, text) => {
        if (userOf(told(text).token) === undefined) socket.close(4400)
      },
      open: (socket) => void setTimeout(() => socket.close(4408), 1000),
    }))
    expect(found).toContain('takes every connection')
  })

  test('chance decides', async () => {
    const found = await detected(() => ({
      status: () => (Math.random() < 0.5 ? 401 : 101),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('all who come from an address that failed are refused', async () => {
    let failures = 0
    const found = await detected(({ userOf }) => ({
      status: (request) => {
        if (failures > 5) return 401
        const isGood = userOf(queryOf(request, 'token')) !== undefined
        if (!isGood) failures += 1
        return isGood ? 101 : 401
      },
    }))
    expect(found).toContain('answers 401 whatever is offered')
  })

  test('a limit on the rate does not end', async () => {
    let tries = 0
    const found = await detected(() => ({ status: () => (++tries > 6 ? 429 : 401) }))
    expect(found).toBe('signaling limits how often it may be asked')
  })

  test('the length of a token makes the difference, and nothing else', async () => {
    const found = await detected(() => ({
      status: (request) => ((bearerOf(request)?.length ?? 0) > 60 ? 101 : 401),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('nobody needs a token, and only garbage is refused', async () => {
    const found = await detected(({ userOf }) => ({
      status: (request) =>
        bearerOf(request) !== undefined && userOf(bearerOf(request)) === undefined ? 401 : 101,
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toContain('takes every connection')
  })

  test('more would have to be tried than was allowed', async () => {
    expect(await detected(() => ({ status: () => 401 }), { attempts: 10 })).toContain('within 10 attempts')
    expect(await detected(() => ({ status: () => 401 }), { mints: 3 })).toContain('with 3 calling tokens')
  })
})

test('says so where a token with a damaged signature is let in', { timeout }, async () => {
  const claims = (token: string | undefined) => {
    try {
      return Object(JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())).sub
    } catch {
      return undefined
    }
  }
  const found = await detected(() => ({
    status: (request) => (claims(bearerOf(request)) === undefined ? 401 : 101),
    open: (socket) => socket.send(welcome),
  }))
  expect(found).toMatchObject({ confirmation: { letsDamagedIn: true } })
})
