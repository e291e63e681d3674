import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { NoAnswer } from '../../base/http/client.ts'
import { failureOf } from '../../base/http/failure.ts'
import { type Network, secureOptions } from '../../base/http/network.ts'
import { proxyFor } from '../../base/http/proxy-settings.ts'
import { openTunnel, tunnelTarget } from '../../base/http/tunnel.ts'
import { tlsAlertMs } from '../../base/times.ts'
import type { Probing } from './probe.ts'
import { noAnswerProblem, type Problem } from './problem.ts'

/** Connects as the suite would, with TLS for https and wss, and sends nothing; `null` where that succeeds. */
export async function tryConnection(url: URL, deadlineMs: number, network: Network): Promise<Error | null> {
  const proxy = proxyFor(url, network.proxy)
  if (proxy === null) return await shakeHands(url, deadlineMs, network, null)
  try {
    const tunnel = await openTunnel(proxy, tunnelTarget(url), AbortSignal.timeout(deadlineMs))
    return await shakeHands(url, deadlineMs, network, tunnel)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Why a connection over TLS was closed, where the handshake says more than the exchange did. */
async function explainReset(
  url: string,
  reply: NoAnswer,
  { configuration: { limits }, network }: Probing,
): Promise<Pick<NoAnswer, 'failure' | 'message'>> {
  if (reply.failure !== 'reset' || !url.startsWith('https:')) return reply
  const deadlineMs = limits.requestSeconds * 1000
  const error = await tryConnection(new URL(url), deadlineMs, network)
  const { kind, message } = failureOf(error, deadlineMs, limits.bodyBytes)
  return error !== null && kind === 'tls' ? { failure: kind, message } : reply
}

/** A peer that gave no whole answer to a request. */
export async function unansweredProblem(
  part: 'mint' | 'backend',
  url: string,
  reply: NoAnswer,
  probing: Probing,
): Promise<Problem> {
  return noAnswerProblem(part, url, await explainReset(url, reply, probing), probing.configuration.tls.ca)
}

function shakeHands(
  url: URL,
  deadlineMs: number,
  network: Network,
  tunnel: Socket | null,
): Promise<Error | null> {
  const isSecure = url.protocol === 'wss:' || url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (isSecure ? 443 : 80)
  if (tunnel !== null && !isSecure) {
    tunnel.destroy()
    return Promise.resolve(null)
  }
  return new Promise((resolve) => {
    const socket: Socket = isSecure
      ? connectTls({
          ...(tunnel === null ? { host, port } : { socket: tunnel, host }),
          servername: isIP(host) === 0 ? host : undefined,
          ...secureOptions(network, url.hostname),
        })
      : connect({ host, port })
    let timer = setTimeout(() => socket.destroy(new DOMException('late', 'TimeoutError')), deadlineMs)
    let failure: Error | null = null
    let isConnected = false
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      isConnected = true
      clearTimeout(timer)
      if (isSecure) timer = setTimeout(() => socket.destroy(), tlsAlertMs)
      else socket.destroy()
    })
    socket.once('error', (error: Error & { code?: string }) => {
      if (!isConnected || error.code?.startsWith('ERR_SSL') === true) failure = error
    })
    socket.once('end', () => {
      if (!isConnected) failure ??= Object.assign(new Error('ended'), { code: 'ECONNRESET' })
      socket.destroy()
    })
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(failure)
    })
  })
}
