// Joins an MQTT broker over WebSocket with MQTT.js, and is its double for clients: npm install --save-dev aedes mqtt ws
import { once } from 'node:events'
import { Aedes } from 'aedes'
import mqtt from 'mqtt'
import { createWebSocketStream, WebSocketServer } from 'ws'

/** The user is the user name, the token the password. */
export const declaresUser = true

/** "Bad user name or password" and "not authorized" of MQTT 3.1.1, and the same of MQTT 5. */
const unauthorizedCodes = [4, 5, 134, 135]

/** Resolves with what the broker decided; rejects where it was not reached. */
export function connect({ url, token, userId, signal }) {
  const { promise, resolve, reject } = Promise.withResolvers()
  const ended = Promise.withResolvers()
  const events = []
  const close = () => client.end(true)

  // A client that retries would hide the result of the first attempt.
  const client = mqtt.connect(url, { username: userId ?? '', password: token ?? '', reconnectPeriod: 0 })
  client.on('connect', () => {
    events.push({ type: 'frame', text: 'CONNACK: accepted' })
    resolve({ accepted: true, events, ended: ended.promise, close })
  })
  client.on('error', (error) => {
    if (typeof error.code !== 'number') return reject(error)
    events.push({ type: 'frame', text: `CONNACK: ${error.message}` })
    resolve({ accepted: false, unauthorized: unauthorizedCodes.includes(error.code), events, close })
  })
  client.on('close', () => {
    ended.resolve({})
    resolve({ accepted: false, events, close })
  })
  signal.addEventListener('abort', () => resolve({ accepted: false, events, close }), { once: true })
  return promise
}

/** "Not authorized" of MQTT 3.1.1. */
const notAuthorized = 5

/**
 * A broker for the client under test, which leaves the decision to the suite. MQTT 3.1.1 cannot tell a client that is connected
 * why it is disconnected, so there is no refuseOpen.
 */
export async function serve({ decide, signal }) {
  const broker = await Aedes.createBroker({
    async authenticate(client, username, password, done) {
      const ended = once(client.conn, 'close')
      const { accepted } = await decide({ token: password?.toString(), userId: username, ended })
      if (accepted) done(null, true)
      else done(Object.assign(new Error('not authorized'), { returnCode: notAuthorized }), false)
    },
  })
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  sockets.on('connection', (socket, request) => {
    const stream = createWebSocketStream(socket)
    stream.on('error', () => socket.terminate())
    broker.handle(stream, request)
  })
  await once(sockets, 'listening')
  const end = () => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
    broker.close()
  }
  signal.addEventListener('abort', end, { once: true })
  return { url: `ws://127.0.0.1:${sockets.address().port}/mqtt` }
}
