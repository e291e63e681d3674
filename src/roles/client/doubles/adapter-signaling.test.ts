import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { Untested } from '../../../base/inconclusive.ts'
import type { ServeDouble } from '../../signaling/adapter-module.ts'
import { serveDoubles } from '../testing/double-options.ts'

/** A service whose first message is the token; it closes with 4401 where that is refused. */
const serve: ServeDouble = async ({ decide, signal }) => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  sockets.on('connection', (socket) =>
    socket.once('message', async (data) => {
      const ended = new Promise((resolve) => socket.once('close', resolve))
      const { accepted, userId } = await decide({ token: String(data), ended })
      if (accepted) socket.send(`welcome ${userId}`)
      else socket.close(4401, 'unauthorized')
    }),
  )
  await new Promise((resolve) => sockets.once('listening', resolve))
  signal.addEventListener('abort', () => sockets.close())
  return { url: `ws://127.0.0.1:${(sockets.address() as { port: number }).port}/join?v=2` }
}

/** The doubles of a program, with signaling as `serve` speaks it. */
async function doubles(served: ServeDouble = serve) {
  const routes = { backend: '**/calling/token', signaling: '**' }
  const both = await serveDoubles({ routes, spoken: { serve: served, declaresUser: false } })
  return Object.assign(both, {
    /** Sends this as the first message, and resolves to what came of it. */
    join: (token: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(both.signalingUrl)
        socket.on('error', (error) => resolve(error.message))
        socket.on('open', () => socket.send(token))
        socket.on('message', (data) => resolve(String(data)))
        socket.on('close', (code) => resolve(`closed with ${code}`))
      }),
  })
}

test('a refusal that the adapter cannot express is untested', async () => {
  await using both = await doubles()
  const { signaling, changeSignal } = both.context
  expect(() => signaling.refuseOpen()).toThrow(Untested)
  signaling.answer(() => ({ http: 302, location: 'ws://127.0.0.1:9/' }))
  void both.join('any')
  await expect(changeSignal.waitFor(() => false, 30_000)).rejects.toThrow('cannot redirect a client')
})

test('a double that does not start, or asks in another way, is a lost control', async () => {
  await expect(doubles(() => Promise.reject(new Error('no port')))).rejects.toThrow(
    'serve of the signaling adapter failed: no port',
  )
  await expect(doubles(async () => ({ url: 'somewhere' }))).rejects.toThrow('is no ws or http URL')
  await using both = await doubles(({ decide, signal }) =>
    serve({ signal, decide: ({ token }: { token?: string } & object) => decide({ token }) } as never),
  )
  void both.join('any')
  await expect(both.context.changeSignal.waitFor(() => false, 30_000)).rejects.toThrow(
    /gave to decide cannot be used: .*is not a promise.*ended/,
  )
})

test('answers an adapter that asks before serve has returned', async () => {
  const early: unknown[] = []
  const warming: ServeDouble = async (surroundings) => {
    const ended = new Promise<void>(() => {})
    early.push(await surroundings.decide({ token: 'made-up', userId: 'alice', ended }))
    return await serve(surroundings)
  }
  await using both = await doubles(warming)
  expect(early).toEqual([{ accepted: false, userId: 'alice' }])
  expect(await both.join(await both.context.tokenIssuer.issue('alice', 900))).toBe('welcome alice')
  expect(both.context.signaling.attempts()).toHaveLength(1)
})
