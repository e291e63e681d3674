import { parsePeerJson } from '../parse-peer-json.ts'

export interface ReadToken {
  readonly format: 'JWS' | 'JWE'
  readonly header: Readonly<Record<string, unknown>>
  /** The claims of a JWS whose payload is a JSON object; `null` where it cannot be read. */
  readonly claims: Readonly<Record<string, unknown>> | null
}

const compact = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){2}(?:(?:\.[A-Za-z0-9_-]*){2})?$/

/** Reads a compact serialisation (RFC 7515, RFC 7516); `null` where the string is none or its header is no JSON object. */
export function readToken(text: string): ReadToken | null {
  if (!compact.test(text)) return null
  const parts = text.split('.')
  const header = jsonObject(parts[0] ?? '')
  if (header === null) return null
  if (parts.length === 5) return { format: 'JWE', header, claims: null }
  return { format: 'JWS', header, claims: jsonObject(parts[1] ?? '') }
}

/** Header and payload of what looks like a compact token, each by itself; `null` where neither is a JSON object. */
export function readParts(
  text: string,
): { readonly header: ReadToken['claims']; readonly claims: ReadToken['claims'] } | null {
  const [first = '', second = ''] = text.split('.', 2)
  const [header, claims] = [jsonObject(first), jsonObject(second)]
  return header === null && claims === null ? null : { header, claims }
}

function jsonObject(part: string): Record<string, unknown> | null {
  try {
    const value = parsePeerJson(
      new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url')),
    )
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A header and what may follow it. A JSON object begins with a brace, or a blank before it: only these letters encode that. */
const candidates = /(?<![\w-])[eICD][\w-]{3,}(?=\.[\w-]*\.)/g
const others = /(?:\.[\w-]*){2}/y
const furtherOthers = /(?:\.[\w-]*){4}/y

/** Every distinct string in the text that reads as a JWS or JWE. Text without a header in it costs next to nothing. */
export function tokensIn(text: string): string[] {
  const found = new Set<string>()
  candidates.lastIndex = 0
  for (let match = candidates.exec(text); match !== null; match = candidates.exec(text)) {
    const behind = match.index + match[0].length
    const fields = jsonObject(match[0])
    if (fields === null) continue
    const rest =
      ('enc' in fields ? restAt(furtherOthers, text, behind) : null) ?? restAt(others, text, behind)
    if (rest === null) continue
    found.add(match[0] + rest)
    candidates.lastIndex = behind + rest.length
  }
  return [...found]
}

function restAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}
