import type { Reply } from '../../base/http/client.ts'
import { isRecord, readToken } from '../../base/tokens/decode.ts'
import { jsonPaths, textAt } from '../../base/tokens/json-paths.ts'

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
