import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates } from 'node:tls'
import { failureOf } from '../../base/http/failure.ts'
import type { Limits } from '../../base/limits.ts'
import type { SignalingConfiguration } from '../../roles/signaling/types.ts'
import { noAnswerProblem, type Problem } from './problem.ts'

/** Tries to connect, with TLS for a `wss` address; the requirements judge the rest. */
export async function findSignalingProblems(
  { url }: SignalingConfiguration,
  { limits, ca }: { readonly limits: Limits; readonly ca?: readonly string[] },
): Promise<Problem[]> {
  const deadlineMs = limits.requestSeconds * 1000
  const failure = await failureOfConnection(new URL(url), deadlineMs, ca)
  if (failure === null) return []
  const described = failureOf(failure, deadlineMs, limits.bodyBytes)
  return [
    noAnswerProblem('signaling', 'signaling.url', url, {
      failure: described.kind,
      message: described.message,
    }),
  ]
}

function failureOfConnection(
  url: URL,
  deadlineMs: number,
  ca: readonly string[] | undefined,
): Promise<Error | null> {
  const secure = url.protocol === 'wss:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (secure ? 443 : 80)
  return new Promise((resolve) => {
    const socket: Socket = secure
      ? connectTls({
          host,
          port,
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(ca === undefined
            ? {}
            : { secureContext: createSecureContext({ ca: [...getCACertificates(), ...ca] }) }),
        })
      : connect({ host, port })
    const deadline = setTimeout(() => socket.destroy(new DOMException('late', 'TimeoutError')), deadlineMs)
    let failure: Error | null = null
    socket.once(secure ? 'secureConnect' : 'connect', () => socket.destroy())
    socket.once('error', (error: Error) => {
      failure = error
    })
    socket.once('end', () => {
      failure ??= Object.assign(new Error('ended'), { code: 'ECONNRESET' })
      socket.destroy()
    })
    socket.once('close', () => {
      clearTimeout(deadline)
      resolve(failure)
    })
  })
}
