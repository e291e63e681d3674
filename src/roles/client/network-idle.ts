import type { Page } from '@playwright/test'
import type { World } from './client-world.ts'

/** A socket as the page has it. */
interface Socket {
  /** Its `Sec-WebSocket-Key`, by which the double knows it as well; null until it is sent. */
  key: string | null
  isAnswered: boolean
  isClosed: boolean
  framesHeard: number
}

/** What has not got there by then goes nowhere, and is not waited for again. */
const patienceMs = 5000
/** How long the body of an answer may take to follow its head. */
const bodyMs = 100

/**
 * Follows what a page sends and hears. What is returned waits until page and doubles know of each other what each has
 * begun, sent and closed, so that a clock can go on without running ahead of the network.
 */
export async function followNetwork(page: Page, world: World): Promise<() => Promise<void>> {
  const { bell, backend, signaling } = world
  const sockets = new Map<string, Socket>()
  const requests = new Set<string>()
  const writtenOff = new Set<string>()
  const session = await page.context().newCDPSession(page)
  const change = (id: string, patch: Partial<Socket>) => {
    Object.assign(sockets.get(id) ?? {}, patch)
    bell.ring()
  }
  session.on('Network.webSocketCreated', ({ requestId }) =>
    sockets.set(requestId, { key: null, isAnswered: false, isClosed: false, framesHeard: 0 }),
  )
  session.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, request }) =>
    change(requestId, { key: request.headers['Sec-WebSocket-Key'] ?? null }),
  )
  session.on('Network.webSocketHandshakeResponseReceived', ({ requestId }) =>
    change(requestId, { isAnswered: true }),
  )
  session.on('Network.webSocketFrameReceived', ({ requestId }) =>
    change(requestId, { framesHeard: (sockets.get(requestId)?.framesHeard ?? 0) + 1 }),
  )
  session.on('Network.webSocketClosed', ({ requestId }) => change(requestId, { isClosed: true }))
  session.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Fetch' || type === 'XHR') requests.add(requestId)
  })
  const settle = ({ requestId }: { readonly requestId: string }) => {
    requests.delete(requestId)
    bell.ring()
  }
  session.on('Network.loadingFinished', settle)
  // A page that never reads the body of an error never finishes loading it.
  session.on('Network.responseReceived', (answer) => setTimeout(settle, bodyMs, answer))
  session.on('Network.loadingFailed', settle)
  await session.send('Network.enable')

  const underWay = (): string[] => {
    const wires = new Map(signaling.wires().map((wire) => [wire.key, wire]))
    const late = [...sockets]
      .filter(([, { key, isAnswered, isClosed, framesHeard }]) => {
        if (isClosed) return false
        const wire = key === null ? undefined : wires.get(key)
        if (wire === undefined) return !isAnswered
        return wire.isOver || framesHeard < wire.framesSaid
      })
      .map(([id]) => id)
    // A call that the double has not answered has arrived.
    const held = backend.calls().filter(({ status, givenUpAt }) => status === null && givenUpAt === null)
    const asked = requests.size > held.length ? [...requests] : []
    return [...late, ...asked].filter((id) => !writtenOff.has(id))
  }
  return async () => {
    if ((await bell.wait(() => underWay().length === 0, patienceMs)) !== null) return
    for (const id of underWay()) writtenOff.add(id)
  }
}
