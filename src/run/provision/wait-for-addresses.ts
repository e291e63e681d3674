import { randomBytes } from 'node:crypto'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { betweenProbesMs, probeMs, recoveringGatewayMs } from '../../base/times.ts'
import type { Configuration } from '../../configuration/configuration.ts'

const gatewayStatuses = [502, 503, 504]

export interface Address {
  readonly key: string
  readonly url: string
}

export type AddressedPart = 'mint' | 'backend' | 'signaling' | 'client'

export function addressesOf(
  { mint, backend, signaling, client }: Configuration,
  contacted: readonly AddressedPart[] = ['mint', 'backend', 'signaling'],
): Address[] {
  const written = {
    'mint.url': contacted.includes('mint') ? mint?.url : undefined,
    'backend.url': contacted.includes('backend') ? backend?.url : undefined,
    'signaling.url': contacted.includes('signaling') ? signaling?.url : undefined,
    'client.url': contacted.includes('client') ? client?.url : undefined,
  }
  return Object.entries(written).flatMap(([key, url]) => (url === undefined ? [] : [{ key, url }]))
}

/** The addresses that do not answer, each with the reason; `startingStatuses` count as no answer. */
export async function listSilent(
  addresses: readonly Address[],
  startingStatuses: readonly number[] = [],
): Promise<string[]> {
  const silences = await Promise.all(
    addresses.map(async ({ key, url }) => {
      const silence = await probe(url, { startingStatuses })
      return silence === null ? [] : [`${key} (${url}): ${silence}`]
    }),
  )
  return silences.flat()
}

/** Waits until all answer or `isOver`, and returns the others. A gateway's answers count once it has had time to find its server. */
export async function waitForAddresses(
  addresses: readonly Address[],
  {
    seconds,
    isOver,
    signal,
  }: { seconds: number; isOver: () => boolean | Promise<boolean>; signal: AbortSignal },
): Promise<string[]> {
  const begun = performance.now()
  const deadline = begun + seconds * 1000
  const gatewayDeadline = begun + Math.min(recoveringGatewayMs, (seconds * 1000) / 2)
  for (;;) {
    signal.throwIfAborted()
    const silent = await listSilent(addresses, performance.now() < gatewayDeadline ? gatewayStatuses : [])
    if (silent.length === 0 || (await isOver()) || performance.now() > deadline) return silent
    await delay(betweenProbesMs, undefined, { signal })
  }
}

/** Why a server does not answer yet; null when it does. */
export type Silence = string | null

/** The upgrade request that a signaling service expects, without a credential. */
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': randomBytes(16).toString('base64'),
}

/**
 * Asks a server once: any HTTP answer counts, with `health` only 2xx at that path. Its certificate is verified later. A server
 * that misses a client certificate, or speaks HTTP/2 alone, has started as well.
 */
export function probe(
  url: string,
  {
    health,
    startingStatuses = [],
  }: { health?: string | undefined; startingStatuses?: readonly number[] } = {},
): Promise<Silence> {
  const { protocol, hostname, port, pathname } = new URL(url)
  const isSecure = protocol === 'https:' || protocol === 'wss:'
  const isSocket = health === undefined && (protocol === 'wss:' || protocol === 'ws:')
  const request = (isSecure ? requestTls : requestPlain)({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    path: health ?? pathname,
    method: 'GET',
    agent: false,
    timeout: probeMs,
    rejectUnauthorized: isSecure ? false : undefined,
    headers: isSocket ? upgrade : undefined,
  })
  let hasShakenHands = false
  request.once('socket', (socket) =>
    socket.once('secureConnect', () => {
      hasShakenHands = true
    }),
  )
  return new Promise((resolve) => {
    request.once('response', (response) => {
      response.resume()
      const { statusCode = 0 } = response
      const isReady =
        health === undefined ? !startingStatuses.includes(statusCode) : statusCode >= 200 && statusCode <= 299
      resolve(isReady ? null : `${health ?? 'it'} returned ${statusCode}`)
      request.destroy()
    })
    request.once('upgrade', (_response, socket) => {
      resolve(null)
      socket.destroy()
    })
    request.once('timeout', () => {
      // Signaling that keeps a client without a credential waiting is for its requirements to judge.
      if (isSocket) resolve(probe(url.replace(/^ws/, 'http'), { startingStatuses }))
      request.destroy(new Error(`no response within ${probeMs / 1000} s`))
    })
    request.once('error', (error: NodeJS.ErrnoException) => {
      const { code = '' } = error
      const isTold = telling.test(error.message) || foreignAnswer.test(code)
      const isStarted = health === undefined && (isTold || (hasShakenHands && endings.includes(code)))
      resolve(isStarted ? null : (reasons[code] ?? error.message))
    })
    request.end()
  })
}

/** The TLS alerts of a server that wants a certificate (40 in TLS 1.2, 42, 116) or another protocol (120). */
const telling = /SSL alert number (?:40|42|116|120)\b/
const foreignAnswer = /^HPE_INVALID_(?:CONSTANT|VERSION)$/

/** How a server ends a connection on which it misses a certificate, where it sends no alert. */
const endings = ['ECONNRESET', 'EPIPE']

/** Starting a command does not change it. */
export const noSuchHost = 'its host name does not resolve'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed at once',
  ENOTFOUND: noSuchHost,
  EAI_AGAIN: noSuchHost,
}
