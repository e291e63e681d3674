import { findSecret } from '../../base/find-secret/find-secret.ts'
import type { Reply } from '../../base/http/client.ts'
import { isRecord, readToken } from '../../base/tokens/decode.ts'
import { jsonPaths, textAt } from '../../base/tokens/json-paths.ts'

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

/**
 * The token that the app would read: a string in the JSON of a 2xx response; `null` where it would fail.
 * @param field a JSONPath, for an app that reads another place than clause 4.2.5 names
 */
export function tokenInReply(reply: Reply, field?: string): string | null {
  if (reply.kind === 'no-answer' || reply.status < 200 || reply.status > 299) return null
  const token = field === undefined ? ownToken(reply.json) : textAt(reply.json, field)
  return typeof token === 'string' && token !== '' ? token : null
}

function ownToken(json: unknown): unknown {
  return isRecord(json) ? json['token'] : undefined
}

/** Longer ones are no place that a person would write. */
const longestPlace = 100

/** The place of the only token in the JSON of a response, as a JSONPath; null where there is none, or more than one. */
export function findTokenPlace(reply: Reply): string | null {
  if (reply.kind === 'no-answer') return null
  const places = jsonPaths(reply.json).flatMap(({ path, value }) =>
    typeof value === 'string' && readToken(value) !== null
      ? [path.replaceAll(/\['([A-Za-z_]\w*)'\]/g, '.$1')]
      : [],
  )
  const [place] = places
  return places.length === 1 && place !== undefined && place.length <= longestPlace ? place : null
}
