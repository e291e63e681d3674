// Joins ejabberd over WebSocket (RFC 7395) with SASL PLAIN: the user is the node of the JID, the password the token.

/** The user is the authentication identity of PLAIN. */
export const declaresUser = true

const framing = 'urn:ietf:params:xml:ns:xmpp-framing'
const sasl = 'urn:ietf:params:xml:ns:xmpp-sasl'

/** Resolves with what the server decided; rejects where it was not reached. */
export function connect({ url, token, userId, signal }) {
  const { promise, resolve, reject } = Promise.withResolvers()
  const ended = Promise.withResolvers()
  const events = []
  const [user, host = 'localhost'] = (userId ?? 'guest@localhost').split('@')
  const socket = new WebSocket(url, ['xmpp'])
  const close = () => socket.close()

  socket.onopen = () => socket.send(`<open xmlns="${framing}" to="${host}" version="1.0"/>`)
  socket.onmessage = ({ data }) => {
    events.push({ type: 'frame', text: data })
    if (data.startsWith('<stream:features')) {
      const credentials = Buffer.from(`\0${user}\0${token}`).toString('base64')
      // Who has no password may still ask to join anonymously.
      socket.send(
        token === null
          ? `<auth xmlns="${sasl}" mechanism="ANONYMOUS"/>`
          : `<auth xmlns="${sasl}" mechanism="PLAIN">${credentials}</auth>`,
      )
    }
    if (data.startsWith('<success')) resolve({ accepted: true, events, ended: ended.promise, close })
    if (data.startsWith('<failure'))
      resolve({
        accepted: false,
        unauthorized: /<(not-authorized|invalid-mechanism)/.test(data),
        events,
        close,
      })
  }
  socket.onerror = ({ message }) => reject(new Error(message || 'the WebSocket failed'))
  socket.onclose = ({ code }) => {
    ended.resolve({ code })
    resolve({ accepted: false, events, close })
  }
  signal.addEventListener('abort', () => resolve({ accepted: false, events, close }), { once: true })
  return promise
}
