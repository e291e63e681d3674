import type { Reply } from '../../../src/base/http/client.ts'

export interface FailureWaitLimits {
  /** So soon a backend must answer. */
  readonly promptMs: number
  /** How long the first failure is waited for. */
  readonly longestMs: number
}

/**
 * How long the responses to a failing mint are waited for. A backend that answers none of them costs the longest wait once
 * and a prompt one: the others are waited for by what its answers took so far, however slow this machine is.
 */
export interface FailureWaits {
  deadlineMs(): number
  note(reply: Reply): void
}

const shortestMs = 1_000
const timesSlowest = 4

export function createFailureWaits({ promptMs, longestMs }: FailureWaitLimits): FailureWaits {
  let silences = 0
  let slowestMs = 0
  return {
    deadlineMs() {
      if (silences === 0) return longestMs
      return silences === 1 ? promptMs : Math.min(promptMs, Math.max(shortestMs, timesSlowest * slowestMs))
    },
    note(reply) {
      if (reply.kind === 'answer') slowestMs = Math.max(slowestMs, reply.receivedAt - reply.sentAt)
      else if (reply.failure === 'timeout') silences += 1
    },
  }
}
