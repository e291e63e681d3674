import { isRecord } from '../../base/tokens/decode.ts'
import { splitEmbeddedJson } from './frame-leaves.ts'

/** Protocols that nest a credential deeper are not known. */
const deepest = 8

/** Adds missing members to the JSON object with the token. Null for a message without such an object. */
export function addBesideToken(
  message: string,
  token: string,
  members: Readonly<Record<string, string>>,
): string | null {
  let end = message.length
  // Blanks, line breaks, the zero of STOMP and the record separator of SignalR end messages.
  while (end > 0 && message.charCodeAt(end - 1) <= 0x20) end -= 1
  const embedded = splitEmbeddedJson(message.slice(0, end))
  if (embedded === null) return null
  const { prefix, json } = embedded
  const holder = findHolder(json, token)
  if (holder === null) return null
  for (const [name, value] of Object.entries(members)) holder[name] ??= value
  return prefix + JSON.stringify(json) + message.slice(end)
}

function findHolder(json: unknown, token: string, depth = 0): Record<string, unknown> | null {
  if (typeof json !== 'object' || json === null || depth > deepest) return null
  const values = Object.values(json)
  if (isRecord(json) && values.some((value) => typeof value === 'string' && value.includes(token)))
    return json
  for (const value of values) {
    const found = findHolder(value, token, depth + 1)
    if (found !== null) return found
  }
  return null
}
