// Joins a Hocuspocus server with its own client: npm install --save-dev @hocuspocus/provider
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'

/** Resolves with what the server decided; rejects where it was not reached. */
export function connect({ url, token, signal }) {
  const { promise, resolve, reject } = Promise.withResolvers()
  const ended = Promise.withResolvers()
  const events = []
  const note = (type, text) => events.push({ type, text })
  let isOpen = false

  // A client that retries would hide the result of the first attempt.
  const socket = new HocuspocusProviderWebsocket({ url, maxAttempts: 1, autoConnect: false })
  const provider = new HocuspocusProvider({
    name: 'twotoken',
    websocketProvider: socket,
    token: token ?? '',
    onOpen() {
      isOpen = true
      note('open', '')
    },
    onAuthenticated() {
      note('frame', 'authenticated')
      resolve({ accepted: true, events, ended: ended.promise, close })
    },
    onAuthenticationFailed({ reason }) {
      note('frame', `authentication failed: ${reason}`)
      resolve({ accepted: false, unauthorized: true, events, close })
    },
    onClose({ event }) {
      note('close', String(event?.code ?? ''))
      ended.resolve({ code: event?.code })
      if (isOpen) resolve({ accepted: false, unauthorized: event?.code === 4401, events, close })
      else reject(new Error('the server was not reached'))
    },
  })
  signal.addEventListener('abort', () => resolve({ accepted: false, events, close }), { once: true })
  provider.attach()
  socket.connect().catch(reject)
  return promise

  function close() {
    provider.destroy()
    socket.destroy()
  }
}
