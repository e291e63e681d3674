import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
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

/** A clock that goes on with the event loop, which a busy machine delays with both sides of a connection in it. */
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

/** Tokens that a service of a few lines can tell from others, and whose they are. */
interface Tokens {
  /** The user of a good token; undefined for anything else. */
  userOf(token: string | null | undefined): string | undefined
}

/** Runs the detection against a service of a few lines; the reason where it finds nothing. */
async function detectAt(
  script: (tokens: Tokens) => Script,
  { attempts = 250, mints = 100 } = {},
): Promise<FoundSignaling | string> {
  const issued = new Map<string, string>()
  const clock = createLoopClock()
  await using service: Loopback = await startService(script({ userOf: (token) => issued.get(token ?? '') }))
  const left = { attempts, mints }
  const secrets = createSecrets()
  const shared = { journal: createJournal(), secrets, clock, frameBytes: 65_536 }
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

const tokenIn = (text: string) => /"token":"([^"]+)"/.exec(text)?.[1]

test.concurrent.each<[what: string, script: (tokens: Tokens) => Script, profile: object]>([
  [
    'the place that leaks least of several',
    ({ userOf }) => ({
      status: (request) =>
        userOf(readBearer(request) ?? readParameter(request, 'token')) === undefined ? 403 : 101,
    }),
    // 403 is no 401: whether clients take it for one is not for us to say.
    { carriage: { in: 'header' }, failure: [{ http: [403] }], unauthorized: [] },
  ],
  [
    'a message of JSON-RPC, answered with a result or an error',
    ({ userOf }) => ({
      message: (socket, text) => {
        if (!text.startsWith('{"jsonrpc"')) return socket.send('{}')
        const isGood = userOf(tokenIn(text)) !== undefined
        const result = isGood ? { result: { ok: true } } : { error: { code: 401 } }
        return socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...result }))
      },
    }),
    {
      carriage: {
        in: 'message',
        template: '{"jsonrpc":"2.0","id":1,"method":"authenticate","params":{"token":"{jwt}"}}',
        after: 'open',
      },
      success: [{ frame: { path: '$.result.ok', equals: true } }],
      unauthorized: [{ frame: { path: '$.error.code', equals: 401 } }],
    },
  ],
  [
    'a declaration that is believed, and says so',
    ({ userOf }) => ({
      status: (request) => (userOf(readBearer(request)) === undefined ? 401 : 101),
      open: (socket, request) => {
        const you = readParameter(request, 'userId') ?? userOf(readBearer(request))
        socket.send(JSON.stringify({ type: 'ready', you }))
      },
    }),
    { declaredUser: { in: 'query', name: 'userId' } },
  ],
  [
    'words of a protocol that is no JSON',
    ({ userOf }) => ({
      message: (socket, text) => {
        const token = /^AUTH (\S+)$/.exec(text)?.[1]
        socket.send(userOf(token) === undefined ? '-ERR not authorized' : '+OK nice to see you')
      },
    }),
    {
      carriage: { template: 'AUTH {jwt}' },
      success: [{ text: { startsWith: '+OK' } }],
      failure: [{ text: { startsWith: '-ERR not authorized' } }],
    },
  ],
])('finds %s', async (_, script, profile) => {
  expect(await detectAt(script)).toMatchObject({ profile })
})

test.concurrent.each([
  ['believed', '42["ready",{"userId":"{user}"}]', { userId: '{userId}' }],
  ['compared', '42["ready"]', { userId: '{userId}' }],
])('a declaration beside the token of Socket.IO that is %s', async (how, ready, fields) => {
  const found = await detectAt(({ userOf }) => ({
    message: (socket, text) => {
      const { token, userId } = text.startsWith('40{') ? JSON.parse(text.slice(2)) : {}
      const user = userOf(token)
      const isRefused = user === undefined || (how === 'compared' && userId !== undefined && userId !== user)
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

test('says so where a token with a damaged signature is let in', async () => {
  const isForUser = (token = '') =>
    /"sub":/.test(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const found = await detectAt(() => ({
    status: (request) => (isForUser(readBearer(request)) ? 101 : 401),
    open: (socket) => socket.send(welcome),
  }))
  expect(found).toMatchObject({ letsDamagedIn: true })
})

test.concurrent.each<[string, (tokens: Tokens) => Script, string]>([
  ['every client is accepted', () => ({ open: (socket) => socket.send(welcome) }), 'no tried carriage'],
  ['every client is refused', () => ({ status: () => 401 }), 'answered 401 without a token'],
  ['everything is sent back', () => ({ message: (socket, text) => socket.send(text) }), 'no tried carriage'],
  [
    'the length of a token makes the difference, and nothing else',
    () => ({
      status: (request) => ((readBearer(request)?.length ?? 0) > 60 ? 101 : 401),
      open: (socket) => socket.send(welcome),
    }),
    '',
  ],
  [
    'no client needs a token, and only garbage is refused',
    ({ userOf }) => ({
      status: (request) =>
        readBearer(request) !== undefined && userOf(readBearer(request)) === undefined ? 401 : 101,
      open: (socket) => socket.send(welcome),
    }),
    'no tried carriage',
  ],
])('finds nothing, and says why, where %s', async (_, script, reason) => {
  const missing = await detectAt(script)
  expect(missing).toEqual(expect.any(String))
  expect(missing).toContain(reason)
})

test.each([
  [{ attempts: 10 }, 'within so many attempts'],
  [{ mints: 3 }, 'with so many calling tokens'],
])('ends where more would have to be tried than was allowed: %j', async (allowed, reason) => {
  expect(await detectAt(() => ({ status: () => 401 }), allowed)).toContain(reason)
})
