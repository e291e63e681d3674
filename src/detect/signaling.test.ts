import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../base/clock.ts'
import { createJournal } from '../base/evidence/exchange.ts'
import { createSecrets } from '../base/evidence/secrets.ts'
import { Untested } from '../base/inconclusive.ts'
import { scrambleToken } from '../base/tokens/damage-token.ts'
import { createProfileConnector } from '../roles/signaling/profile-connector.ts'
import { type Loopback, type Script, startService } from '../roles/signaling/testing/loopback.ts'
import { type FoundSignaling, findProfile } from './find-profile.ts'

/** The time that each turn of the event loop takes, by this clock and at least by a watch. */
const turnMs = 10
const leastMs = 2

/**
 * A clock that goes on with the event loop: a busy machine delays the loop, with both sides of a connection in this process,
 * and the clock waits for them.
 */
function createLoopClock(): Clock {
  let now = 0
  const waiting = new Set<{ readonly instant: number; resolve(): void }>()
  const run = async () => {
    while (waiting.size > 0) {
      await wait(leastMs)
      // The sockets are read before the time is over.
      await turn()
      now += turnMs
      for (const one of [...waiting]) if (one.instant <= now) one.resolve()
    }
  }
  return {
    monotonic: () => now,
    wall: systemClock.wall,
    until(instant, signal) {
      if (instant <= now) return Promise.resolve()
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const one = {
        instant,
        resolve: () => {
          waiting.delete(one)
          resolve()
        },
      }
      signal?.addEventListener('abort', () => {
        waiting.delete(one)
        reject(signal.reason)
      })
      waiting.add(one)
      if (waiting.size === 1) void run()
      return promise
    },
  }
}

/** Tokens that a service of a few lines can tell from others, and whose they are; and its clock. */
interface Tokens {
  /** The user of a good token; undefined for anything else. */
  userOf(token: string | null | undefined): string | undefined
  readonly issued: ReadonlyMap<string, string>
  /** Acts once so many milliseconds have passed. */
  after(milliseconds: number, act: () => void): void
}

/** Runs the detection against a service of a few lines; the reason where it finds nothing. */
async function detectAt(
  script: (tokens: Tokens) => Script,
  { attempts = 250, mints = 100 } = {},
): Promise<FoundSignaling | string> {
  const issued = new Map<string, string>()
  const clock = createLoopClock()
  const tokens: Tokens = {
    userOf: (token) => issued.get(token ?? ''),
    issued,
    after: (milliseconds, act) => void clock.until(clock.monotonic() + milliseconds).then(act),
  }
  await using service: Loopback = await startService(script(tokens))
  const left = { attempts, mints }
  const secrets = createSecrets()
  const shared = {
    journal: createJournal(),
    secrets,
    clock,
    runStart: clock.monotonic(),
    frameBytes: 65_536,
  }
  let users = 0
  const newUser = () => `user-${++users}-${randomBytes(3).toString('hex')}`
  const fresh = async () => {
    if (left.mints-- <= 0) throw new Untested('no result with so many calling tokens')
    const [jwt, userId] = [jwtOf(), newUser()]
    issued.set(jwt, userId)
    return { jwt, userId }
  }
  try {
    return await findProfile({
      fresh,
      garbage: () => ({ jwt: scrambleToken(jwtOf()), userId: newUser() }),
      connectorFor(profile) {
        if (left.attempts-- <= 0) throw new Untested('no result within so many attempts')
        return createProfileConnector({ ...shared, url: service.url, profile })
      },
      onProgress: () => {},
    })
  } catch (error) {
    if (error instanceof Untested) return error.message
    throw error
  }
}

function jwtOf(): string {
  const part = (text: string) => Buffer.from(text).toString('base64url')
  const claims = JSON.stringify({ sub: randomBytes(8).toString('hex') })
  return `${part('{"alg":"HS256","typ":"JWT"}')}.${part(claims)}.${randomBytes(32).toString('base64url')}`
}

const readBearer = ({ headers }: IncomingMessage) => /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1]
const readParameter = ({ url = '/' }: IncomingMessage, name: string) =>
  new URL(url, 'ws://localhost').searchParams.get(name)
const welcome = JSON.stringify({ type: 'welcome' })

/** A message of a client in JSON. */
interface ClientMessage {
  readonly type?: unknown
  readonly token?: string
  readonly id?: unknown
  readonly params?: { readonly token?: string }
  readonly payload?: { readonly token?: string }
}

/** A message that is an object of JSON; an empty one otherwise. */
function parseMessage(text: string): ClientMessage {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

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

describe('finds nothing, and says why, where', { concurrent: true }, () => {
  test('every client is accepted', async () => {
    const found = await detectAt(() => ({ open: (socket) => socket.send(welcome) }))
    expect(found).toContain('no tried carriage')
  })

  test('every client is refused', async () => {
    expect(await detectAt(() => ({ status: () => 401 }))).toContain('answered 401 without a token')
  })

  test('everything is sent back', async () => {
    const found = await detectAt(() => ({
      message: (socket, text) => socket.send(text),
    }))
    expect(found).toContain('no tried carriage')
  })

  test('the length of a token makes the difference, and nothing else', async () => {
    const found = await detectAt(() => ({
      status: (request) => ((readBearer(request)?.length ?? 0) > 60 ? 101 : 401),
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toEqual(expect.any(String))
  })

  test('no client needs a token, and only garbage is refused', async () => {
    const found = await detectAt(({ userOf }) => ({
      status: (request) =>
        readBearer(request) !== undefined && userOf(readBearer(request)) === undefined ? 401 : 101,
      open: (socket) => socket.send(welcome),
    }))
    expect(found).toContain('no tried carriage')
  })

  test('more would have to be tried than was allowed', async () => {
    expect(await detectAt(() => ({ status: () => 401 }), { attempts: 10 })).toContain(
      'within so many attempts',
    )
    expect(await detectAt(() => ({ status: () => 401 }), { mints: 3 })).toContain(
      'with so many calling tokens',
    )
  })
})
