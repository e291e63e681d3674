import { findSecret } from '../../base/find-secret/find-secret.ts'
import type { Reply } from '../../base/http/client.ts'

/** Lists where a response to the app holds a text, in any encoding; each completes "the API key …". */
export function findInReply(reply: Reply, secret: string): string[] {
  return textsOf(reply).flatMap(([place, text]) => {
    const encoding = findSecret(text, secret)
    return encoding === null ? [] : [`${encoding === 'plain' ? '' : `${encoding} `}in the ${place}`]
  })
}

/** Says whether a response holds the API key, and not because its request did. */
export function showsKey(reply: Reply, apiKey: string | undefined): boolean {
  if (apiKey === undefined || reply.kind === 'no-answer' || findSecret(reply.sent, apiKey) !== null)
    return false
  return findInReply(reply, apiKey).length > 0
}

/** Lists every text of a response with the name of its place. */
export function textsOf(reply: Reply): (readonly [place: string, text: string])[] {
  if (reply.kind === 'no-answer') return []
  return [
    ['status text', reply.statusText],
    ...reply.headers.map(([name, value]) => [`header ${name}`, `${name}: ${value}`] as const),
    ...reply.trailers.map(([name, value]) => [`trailer ${name}`, `${name}: ${value}`] as const),
    ['body', reply.body],
  ]
}
