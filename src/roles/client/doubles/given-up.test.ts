import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { systemClock } from '../../../base/clock.ts'
import { listening } from '../../../base/http/testing/serve.ts'
import { createDoubleOptions } from '../testing/double-options.ts'
import type { BackendScript, SignalingScript } from '../types.ts'
import { createBackendDouble } from './backend-double.ts'
import { createDoubleContext } from './double-context.ts'
import { createSignalingDouble } from './signaling-double.ts'
import { deriveResponses } from './signaling-responses.ts'
import { quietProfile } from './spoken-signaling.ts'

// A client on a busy machine may give up before a double has answered: that is recorded as a fault of the way, except
// where the double was told to withhold its answer.

/** Doubles of which the backend's takes forever to make a token. */
async function doubles() {
  await using stack = new AsyncDisposableStack()
  let waitedMs = 0
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + waitedMs }
  const options = { ...createDoubleOptions(), clock }
  const context = createDoubleContext(options)
  const { tokenIssuer } = context
  const slow = { ...tokenIssuer, issue: () => new Promise<never>(() => undefined) }
  const backend = createBackendDouble({ ...context, tokenIssuer: slow })
  const signaling = createSignalingDouble(
    context,
    quietProfile,
    deriveResponses(quietProfile, { seesStatus: true }),
  )
  const server = createServer((request, response) => {
    void backend.serve(new URL('http://double/calling/token'), request, response, '')
  })
  server.on('upgrade', (request, socket, head) => {
    void signaling.serve(new URL(request.url ?? '', 'ws://double'), request, socket, head)
  })
  const { port } = stack.use(await listening(server))
  const parts = stack.move()
  return {
    backend,
    signaling,
    url: `http://127.0.0.1:${port}/calling/token`,
    /** Sends an upgrade with this token, and leaves when `isTime` or something has come back. */
    async connect(token: string, isTime: () => boolean) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(
        `GET /signaling?token=${token} HTTP/1.1\r\nHost: double\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
      )
      await context.changeSignal.waitFor(isTime, 10_000)
      socket.destroy()
      await context.changeSignal.waitFor(() => signaling.attempts()[0]?.closedAt != null, 10_000)
    },
    pass(milliseconds: number) {
      waitedMs += milliseconds
    },
    issue: () => tokenIssuer.issue('alice', 900),
    waitFor: (probe: () => boolean) => context.changeSignal.waitFor(probe, 10_000),
    /** The fault of the exchange, once everything is recorded. */
    faultOf(id: string | undefined) {
      backend.end()
      signaling.end()
      return id === undefined ? undefined : (options.journal.faultOf(id)?.fault ?? null)
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

async function giveUpCall(script: BackendScript | null, waitsMs = 2000) {
  await using both = await doubles()
  both.backend.answer(script)
  const leaving = new AbortController()
  const asked = fetch(both.url, { method: 'POST', signal: leaving.signal }).catch(() => undefined)
  await both.waitFor(() => both.backend.calls().length === 1)
  both.pass(waitsMs)
  leaving.abort()
  await asked
  await both.waitFor(() => both.backend.calls()[0]?.givenUpAt != null)
  return both.faultOf(both.backend.calls()[0]?.exchange)
}

test('a call that the client gives up before the ordinary answer is a fault', async () => {
  expect(await giveUpCall(null)).toBe('did not answer before the client gave up')
})

test('one that it gives up at once is none: the app has changed its mind', async () => {
  expect(await giveUpCall(null, 0)).toBeNull()
})

test.each<[string, BackendScript]>([
  ['told to hang', () => 'hang'],
  ['told to wait', () => new Promise(() => undefined)],
])('and none where the double was %s', async (_, script) => {
  expect(await giveUpCall(script)).toBeNull()
})

async function giveUpConnecting(script: SignalingScript | null, token?: string) {
  await using both = await doubles()
  both.signaling.answer(script)
  const jwt = token ?? (await both.issue())
  await both.connect(jwt, () => both.signaling.attempts().length === 1)
  return both.faultOf(both.signaling.attempts()[0]?.exchange)
}

test('an attempt that the client gives up before its welcome is a fault', async () => {
  expect(await giveUpConnecting(null)).toBe('did not welcome the client before it gave up')
})

test('and none where the double was told to hang, or rejected the token', async () => {
  expect(await giveUpConnecting(() => 'hang')).toBeNull()
  expect(await giveUpConnecting(null, 'unknown')).toBeNull()
})
