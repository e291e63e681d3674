import { failureOf } from '../../base/http/failure.ts'
import type { Network } from '../../base/http/network.ts'
import type { Limits } from '../../base/limits.ts'
import type { SignalingConfiguration } from '../../roles/signaling/types.ts'
import { noAnswerProblem, type Problem } from './problem.ts'
import { tryConnection } from './try-connection.ts'

/** Tries to connect, with TLS for a `wss` address; the requirements judge the rest. */
export async function findSignalingProblems(
  { url }: SignalingConfiguration,
  { limits, network }: { readonly limits: Limits; readonly network: Network },
): Promise<Problem[]> {
  const deadlineMs = limits.requestSeconds * 1000
  const failure = await tryConnection(new URL(url), deadlineMs, network)
  if (failure === null) return []
  const described = failureOf(failure, deadlineMs, limits.bodyBytes)
  return [
    noAnswerProblem('signaling', 'signaling.url', url, {
      failure: described.kind,
      message: described.message,
    }),
  ]
}
