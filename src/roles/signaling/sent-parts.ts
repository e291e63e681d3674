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

/** One thing that a client sends, as a template with `{jwt}` or `{userId}` in it. A text is a message of its own. */
export type TemplatePart =
  | { readonly in: 'header'; readonly name: string; readonly template: string }
  | { readonly in: 'cookie'; readonly name: string; readonly template: string }
  | { readonly in: 'query'; readonly name: string; readonly template: string }
  | { readonly in: 'subprotocol'; readonly template: string }
  | { readonly in: 'text'; readonly template: string }

/** A message of its own; null where the credential is too long for its form. */
export function messageParts(message: string | null): SentParts {
  return message === null
    ? { illegal: 'the value is longer than the length before it can say' }
    : { messages: [message] }
}
