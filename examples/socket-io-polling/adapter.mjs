// Joins Socket.IO with its own client: npm install --save-dev socket.io-client
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
