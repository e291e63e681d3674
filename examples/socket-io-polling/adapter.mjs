// Joins Socket.IO with its own client, and is its double for clients: npm install --save-dev socket.io socket.io-client
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'

/** Resolves with what the server decided; rejects where it was not reached. */
export function connect({ url, token, signal }) {
  const { promise, resolve, reject } = Promise.withResolvers()
  const ended = Promise.withResolvers()
  const events = []
  const { host, pathname, protocol } = new URL(url)
  const close = () => socket.disconnect()

  // A client that retries would hide the result of the first attempt.
  const socket = io(`${protocol === 'wss:' ? 'https' : 'http'}://${host}`, {
    path: pathname,
    auth: token === null ? {} : { token },
    forceNew: true,
    reconnection: false,
  })
  socket.on('connect', () => {
    events.push({ type: 'frame', text: 'connected' })
    resolve({ accepted: true, events, ended: ended.promise, close })
  })
  socket.on('connect_error', (error) => {
    // An error of the transport, unlike one of a middleware, decided nothing.
    if (error.type === 'TransportError') return reject(error)
    events.push({ type: 'frame', text: `connect_error: ${error.message}` })
    resolve({ accepted: false, unauthorized: error.message === 'unauthorized', events, close })
  })
  socket.on('disconnect', (reason) => ended.resolve({ text: reason }))
  signal.addEventListener('abort', () => resolve({ accepted: false, events, close }), { once: true })
  return promise
}

/** A server for the client under test, whose middleware leaves the decision to the suite. */
export async function serve({ decide, signal }) {
  const http = createServer()
  // A client that misses the end of its connection notices it within ten seconds.
  const server = new Server(http, { pingInterval: 5000, pingTimeout: 5000 })
  server.use(async (socket, next) => {
    const { promise: ended, resolve } = Promise.withResolvers()
    socket.once('disconnect', resolve)
    socket.conn.once('close', resolve)
    const { accepted } = await decide({ token: socket.handshake.auth.token, ended })
    next(accepted ? undefined : new Error('unauthorized'))
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  signal.addEventListener('abort', () => server.close(), { once: true })
  return {
    url: `http://127.0.0.1:${http.address().port}/socket.io/`,
    // How this service ends the connection of a client whose token is not valid any more.
    refuseOpen: () => server.disconnectSockets(true),
    // A connection that polls outlives its sockets.
    dropOpen() {
      for (const connection of Object.values(server.engine.clients)) connection.close(true)
    },
  }
}
