import { failureOf } from '../../base/http/failure.ts'
import { tellingWait } from '../../base/told-wait.ts'
import type { SignalingConfiguration } from '../../roles/signaling/configuration.ts'
import { findJoinProblems } from './join.ts'
import type { JoinToken, Probing } from './probe.ts'
import { noAnswerProblem, type Problem } from './problem.ts'
import { tryConnection } from './try-connection.ts'

/** Tries to connect, with TLS for a `wss` address, and then to join as a client would. */
export async function findSignalingProblems(
  signaling: SignalingConfiguration,
  probing: Probing,
  { token, mayMint }: { readonly token: JoinToken | null; readonly mayMint: boolean },
): Promise<Problem[]> {
  const { limits, tls } = probing.configuration
  const deadlineMs = limits.requestSeconds * 1000
  const failure = await tellingWait(
    () => tryConnection(new URL(signaling.url), deadlineMs, probing.network),
    { what: 'waiting for signaling to accept a connection', longestMs: deadlineMs, tell: probing.tellWait },
  )
  if (failure === null)
    return token === null ? [] : await findJoinProblems(signaling, probing, token, mayMint)
  const { kind, message } = failureOf(failure, deadlineMs, limits.bodyBytes)
  return [noAnswerProblem('signaling', 'signaling.url', signaling.url, { failure: kind, message }, tls.ca)]
}
