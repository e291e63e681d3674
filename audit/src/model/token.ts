/** A compact JWS or JWE, read without verifying anything. */
export interface ReadToken {
  readonly format: 'JWS' | 'JWE'
  readonly header: Readonly<Record<string, unknown>>
  /** The claims of a JWS whose payload is a JSON object; `null` where it cannot be read. */
  readonly claims: Readonly<Record<string, unknown>> | null
}

const compact = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){2}(?:(?:\.[A-Za-z0-9_-]*){2})?$/

/** Reads a compact serialisation; `null` where the string is none or its header is no JSON object. */
export function readToken(text: string): ReadToken | null {
  if (!compact.test(text)) return null
  const [first = '', second = '', ...others] = text.split('.')
  const header = jsonObject(first)
  if (header === null) return null
  return others.length > 1
    ? { format: 'JWE', header, claims: null }
    : { format: 'JWS', header, claims: jsonObject(second) }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function jsonObject(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(part, 'base64url')))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
