import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import { createDoor, createLoopbackTls } from '../../fixtures/tls.ts'
import { startListening } from '../../src/base/http/listening.ts'

export interface TlsProxy extends AsyncDisposable {
  readonly port: number
  /** PEM: the authority of its certificate. */
  readonly ca: string
}

const longestRequestMs = 120_000

/**
 * Terminates TLS in front of a server of this machine, and tells it by `X-Forwarded-Proto` how a request arrived. Plain
 * http is answered at the same port, so that it is the server that has to reject it.
 */
export async function startTlsProxy(serverPort: number): Promise<TlsProxy> {
  const { ca, server: certificate } = createLoopbackTls()
  const door = createDoor(
    { tls: true, plain: true },
    certificate,
    (incoming, answer) => forward(incoming, answer, serverPort),
    longestRequestMs,
  )
  const listening = await startListening(door, { host: '127.0.0.1', port: 0 })
  return { port: listening.port, ca, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() }
}

function forward(incoming: IncomingMessage, answer: ServerResponse, port: number): void {
  const scheme = incoming.socket instanceof TLSSocket ? 'https' : 'http'
  const { method, url: path, headersDistinct } = incoming
  const outgoing = request(
    {
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      headers: { ...headersDistinct, host: incoming.headers.host, 'x-forwarded-proto': scheme },
    },
    (response) => {
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, response.rawHeaders)
      response.pipe(answer)
      response.once('error', () => answer.destroy())
    },
  )
  outgoing.once('error', () => answer.destroy())
  answer.once('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
