import type { Page } from '@playwright/test'
import { bodyMs, lostMessageMs } from '../../../base/times.ts'
import type { ClientContext } from '../client-context.ts'

interface Socket {
  /** Its `Sec-WebSocket-Key`, by which the double knows it as well; null until it is sent. */
  key: string | null
  isAnswered: boolean
  isClosed: boolean
  framesReceived: number
}

/** Follows a page's traffic. The result waits until page and doubles know all of each other: no clock outruns the network. */
export async function trackNetworkIdle(page: Page, context: ClientContext): Promise<() => Promise<void>> {
  const { changeSignal, backend, signaling } = context
  const sockets = new Map<string, Socket>()
  const requests = new Set<string>()
  const writtenOff = new Set<string>()
  const session = await page.context().newCDPSession(page)
  const change = (id: string, patch: Partial<Socket>) => {
    Object.assign(sockets.get(id) ?? {}, patch)
    changeSignal.notify()
  }
  session.on('Network.webSocketCreated', ({ requestId }) =>
    sockets.set(requestId, { key: null, isAnswered: false, isClosed: false, framesReceived: 0 }),
  )
  session.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, request }) =>
    change(requestId, { key: request.headers['Sec-WebSocket-Key'] ?? null }),
  )
  session.on('Network.webSocketHandshakeResponseReceived', ({ requestId }) =>
    change(requestId, { isAnswered: true }),
  )
  session.on('Network.webSocketFrameReceived', ({ requestId }) =>
    change(requestId, { framesReceived: (sockets.get(requestId)?.framesReceived ?? 0) + 1 }),
  )
  session.on('Network.webSocketClosed', ({ requestId }) => change(requestId, { isClosed: true }))
  session.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Fetch' || type === 'XHR') requests.add(requestId)
  })
  const settle = ({ requestId }: { readonly requestId: string }) => {
    requests.delete(requestId)
    changeSignal.notify()
  }
  session.on('Network.loadingFinished', settle)
  // A page that never reads the body of an error never finishes loading it.
  session.on('Network.responseReceived', (answer) => setTimeout(settle, bodyMs, answer))
  session.on('Network.loadingFailed', settle)
  await session.send('Network.enable')

  const listUnderWay = (): string[] => {
    const progressByKey = new Map(signaling.connections().map((wire) => [wire.key, wire]))
    const late = [...sockets]
      .filter(([, { key, isAnswered, isClosed, framesReceived: framesHeard }]) => {
        if (isClosed) return false
        const progress = key === null ? undefined : progressByKey.get(key)
        if (progress === undefined) return !isAnswered
        return progress.isOver || framesHeard < progress.framesSent
      })
      .map(([id]) => id)
    // A call that the double has not answered has arrived.
    const held = backend.calls().filter(({ status, givenUpAt }) => status === null && givenUpAt === null)
    const asked = requests.size > held.length ? [...requests] : []
    return [...late, ...asked].filter((id) => !writtenOff.has(id))
  }
  return async () => {
    if ((await changeSignal.waitFor(() => listUnderWay().length === 0, lostMessageMs)) !== null) return
    for (const id of listUnderWay()) writtenOff.add(id)
  }
}
