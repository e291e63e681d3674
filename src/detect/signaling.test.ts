import { describe, expect, test } from 'vitest'
import { detectAt } from './testing/detect-loopback.ts'
import { parseMessage, readBearer, readParameter, welcome } from './testing/read-requests.ts'

describe('finds', { concurrent: true }, () => {
  test('a header, with the upgrade refused', async () => {
    const found = await detectAt(({ userOf }) => ({
      status: (request) => (userOf(readBearer(request)) === undefined ? 401 : 101),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toMatchObject({
      profile: {
        carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
        declaredUser: { in: 'none', detected: true },
        success: [{ frame: { path: '$.type', equals: 'welcome' } }],
        failure: [{ http: [401] }],
        unauthorized: [{ http: [401] }],
      },
    })
  })

  test('the random path of a session, as SockJS has it', async () => {
    const found = await detectAt(({ userOf }) => ({
      status: (request) => {
        const { pathname } = new URL(request.url ?? '/', 'http://service')
        if (!/\/[^/]+\/[^/]+\/websocket$/.test(pathname)) return 404
        return userOf(readBearer(request)) === undefined ? 401 : 101
      },
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toMatchObject({
      profile: { path: '/{random}/{random}/websocket', failure: [{ http: [401] }] },
    })
  })

  test('neither Origin nor path where a refusal is about the token', async () => {
    const found = await detectAt(({ userOf }) => ({
      status: (request) => (userOf(readBearer(request)) === undefined ? 403 : 101),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toMatchObject({ profile: { failure: [{ http: [403] }] } })
    expect(Object(found).profile).not.toHaveProperty('headers')
    expect(Object(found).profile).not.toHaveProperty('path')
  })

  test('the place that leaks least of several', async () => {
    const found = await detectAt(({ userOf }) => ({
      status: (request) =>
        userOf(readBearer(request) ?? readParameter(request, 'token')) === undefined ? 403 : 101,
    }))
    expect(found).toMatchObject({ profile: { carriage: { in: 'header' }, failure: [{ http: [403] }] } })
    // 403 is no 401: whether clients take it for one is not for us to say.
    expect(found).toHaveProperty('profile.unauthorized', [])
  })

  test('a message of JSON-RPC, answered with a result or an error', async () => {
    const found = await detectAt(({ userOf }) => ({
      message: (socket, text) => {
        const { id, params } = parseMessage(text)
        const result =
          userOf(params?.token) === undefined ? { error: { code: 401 } } : { result: { ok: true } }
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...result }))
      },
    }))
    expect(found).toMatchObject({
      profile: {
        carriage: {
          in: 'message',
          template: '{"jsonrpc":"2.0","id":1,"method":"authenticate","params":{"token":"{jwt}"}}',
          after: 'open',
        },
        success: [{ frame: { path: '$.result.ok', equals: true } }],
        unauthorized: [{ frame: { path: '$.error.code', equals: 401 } }],
      },
    })
  })

  test('a subprotocol that has to be there, and connection_init', async () => {
    const found = await detectAt(({ userOf }) => ({
      subprotocol: 'graphql-transport-ws',
      status: (request) =>
        (request.headers['sec-websocket-protocol'] ?? '').includes('graphql-transport-ws') ? 101 : 400,
      message: (socket, text) => {
        const { type, payload } = parseMessage(text)
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
    const found = await detectAt(({ userOf }) => ({
      status: (request) => (userOf(readBearer(request)) === undefined ? 401 : 101),
      open: (socket, request) =>
        socket.send(
          JSON.stringify({
            type: 'ready',
            you: readParameter(request, 'userId') ?? userOf(readBearer(request)),
          }),
        ),
    }))
    expect(found).toMatchObject({
      profile: { declaredUser: { in: 'query', name: 'userId' } },
    })
  })

  test('a declaration that may be left out, but not be wrong', async () => {
    const found = await detectAt(({ userOf }) => ({
      status: (request) => {
        const user = userOf(readBearer(request))
        return user === undefined || user !== (readParameter(request, 'uid') ?? user) ? 401 : 101
      },
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toMatchObject({
      profile: { declaredUser: { in: 'query', name: 'uid' } },
    })
  })

  test.each([
    ['believed', '42["ready",{"userId":"{user}"}]', { userId: '{userId}' }],
    ['compared', '42["ready"]', { userId: '{userId}' }],
  ])('a declaration beside the token of Socket.IO that is %s', async (how, ready, fields) => {
    const found = await detectAt(({ userOf }) => ({
      message: (socket, text) => {
        const { token, userId } = text.startsWith('40{') ? JSON.parse(text.slice(2)) : {}
        const user = userOf(token)
        const isRefused =
          user === undefined || (how === 'compared' && userId !== undefined && userId !== user)
        if (isRefused) return socket.send('44{"message":"unauthorized"}')
        socket.send('40{"sid":"x"}')
        socket.send(ready.replace('{user}', userId ?? user))
      },
    }))
    expect(found).toMatchObject({
      profile: {
        carriage: { template: `40${JSON.stringify({ token: '{jwt}', ...fields })}` },
        declaredUser: { in: 'carriage' },
      },
    })
  })

  test('a service that speaks only after it was asked for by a challenge', async () => {
    const found = await detectAt(({ userOf, after }) => {
      const asked = new WeakSet<object>()
      return {
        open: (socket) =>
          after(50, () => {
            asked.add(socket)
            socket.send('{"type":"challenge","nonce":"0123456789abcdef"}')
          }),
        message: (socket, text) => {
          if (!asked.has(socket)) return socket.close(4400)
          return userOf(parseMessage(text).token) === undefined ? socket.close(4401) : socket.send(welcome)
        },
      }
    })
    expect(found).toMatchObject({
      profile: { carriage: { in: 'message', after: { frame: { path: '$.type', equals: 'challenge' } } } },
    })
  })

  test('decisions that take their time', async () => {
    const found = await detectAt(({ userOf, after }) => ({
      open: (socket, request) =>
        after(300, () =>
          userOf(readBearer(request)) === undefined ? socket.close(4401) : socket.send(welcome),
        ),
    }))
    expect(found).toMatchObject({ profile: { failure: [{ close: [4401] }] } })
  })

  test("SignalR's handshake behind a token in the upgrade", async () => {
    const end = '\u001e'
    const found = await detectAt(
      ({ userOf }) => ({
        status: (request) => (userOf(readParameter(request, 'access_token')) === undefined ? 401 : 101),
        message: (socket, text) => {
          if (text === `{"protocol":"json","version":1}${end}`) return socket.send(`{}${end}{"type":6}${end}`)
          socket.send(`{"error":"Handshake was canceled."}${end}`)
          socket.close()
        },
      }),
      { mints: 60, attempts: 120 },
    )
    expect(found).toMatchObject({
      profile: {
        carriage: { in: 'query', name: 'access_token' },
        opening: [`{"protocol":"json","version":1}${end}`],
        success: [{ text: { startsWith: `{}${end}` } }],
        unauthorized: [{ http: [401] }],
      },
    })
  })

  test('words of a protocol that is no JSON', async () => {
    const found = await detectAt(({ userOf }) => ({
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
})

test('says so where a token with a damaged signature is let in', async () => {
  const claims = (token: string | undefined) => {
    try {
      return Object(JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())).sub
    } catch {
      return undefined
    }
  }
  const found = await detectAt(() => ({
    status: (request) => (claims(readBearer(request)) === undefined ? 401 : 101),
    open: (socket) => socket.send(welcome),
  }))
  expect(found).toMatchObject({ letsDamagedIn: true })
})
