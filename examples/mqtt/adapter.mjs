// Joins an MQTT broker over WebSocket with MQTT.js: npm install --save-dev mqtt
import mqtt from 'mqtt'

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
