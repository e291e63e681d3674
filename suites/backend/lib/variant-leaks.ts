import { jsonAnswer } from './variant-answers.ts'

/** A mint's response as a backend saw it; null where there was none. */
type Failed = { readonly status: number } | null

/** A backend whose error page dumps some of its failed requests. */
export function printRequest(print: (headers: object) => unknown, isPrinted: (reply: Failed) => boolean) {
  let sent: object = {}
  return {
    mintCall<Call extends { readonly headers: object }>(usual: Call): Call {
      sent = usual.headers
      return usual
    },
    mintFailed<Answer>(usual: Answer, { reply }: { readonly reply: Failed }) {
      return isPrinted(reply) ? jsonAnswer(502, { error: 'failed', config: print(sent) }) : usual
    },
  }
}

export function isUnanswered(reply: Failed): boolean {
  return reply === null
}
