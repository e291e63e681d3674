import type { Headers } from '../../base/http/headers.ts'

/** Parts that one setting of a profile adds to the upgrade request, and to the messages that follow it. */
export interface SentParts {
  readonly headers?: Headers
  readonly query?: readonly (readonly [name: string, value: string])[]
  readonly protocols?: readonly string[]
  readonly messages?: readonly string[]
  /** Why the credential cannot be sent there, as a clause without any secret. */
  readonly illegal?: string
}

/** A message of its own; null where the credential is too long for its form. */
export function messageParts(message: string | null): SentParts {
  return message === null
    ? { illegal: 'the value is longer than the length before it can say' }
    : { messages: [message] }
}
