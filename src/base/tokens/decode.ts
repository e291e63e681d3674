import { dottedRuns } from '../evidence/compact-tokens.ts'

/** A compact JWS or JWE, read without verifying anything. */
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
    const value: unknown = JSON.parse(
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

/** Every distinct string in the text that reads as a JWS or JWE. Takes time in proportion to the text. */
export function tokensIn(text: string): string[] {
  const found = new Set<string>()
  for (const segments of dottedRuns(text))
    for (let index = 0; index + 2 < segments.length; index += 1) {
      const [header, last] = [segments[index], segments[index + 2]]
      if (header === undefined || last === undefined || header.end - header.start < 4) continue
      const fields = jsonObject(text.slice(header.start, header.end))
      if (fields === null) continue
      const end = ('enc' in fields ? segments[index + 4]?.end : undefined) ?? last.end
      found.add(text.slice(header.start, end))
      index += end === last.end ? 2 : 4
    }
  return [...found]
}
