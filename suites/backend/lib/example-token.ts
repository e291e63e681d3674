import { query } from 'jsonpath-rfc9535'
import type { Reply } from '../../../src/base/http/client.ts'
import { parsedJson } from '../../../src/base/http/incoming.ts'
import { isRecord } from '../../../src/base/tokens/decode.ts'

/**
 * Says whether a response has for its token what the example of clause 4.1 takes from a success without one: the mint's field
 * "token", else its whole body.
 */
export function hasExampleToken(reply: Reply, body: string, field = '$.token'): boolean {
  if (reply.kind === 'no-answer' || reply.json === undefined) return false
  const given = ownToken(body)
  return query(reply.json as Parameters<typeof query>[0], field).some(
    (token) => isSameBody(token, body) || (given !== null && String(token) === given),
  )
}

export function isSameBody(token: unknown, body: string): boolean {
  return token === body || JSON.stringify(token) === body
}

/** An empty text or a number at "token"; null where the example goes on to the whole body. */
function ownToken(body: string): string | null {
  const json = parsedJson(body)
  return isRecord(json) && json['token'] != null ? String(json['token']) : null
}
