import { parsePeerJson } from '../parse-peer-json.ts'
import { isRecord, readToken } from './decode.ts'
import { jsonPaths } from './json-paths.ts'

/** A compact JWS, taken apart and decoded: what forgeries are made from. */
export interface Original {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Uint8Array
  readonly signature: Uint8Array
  /** Whom the token was made for. */
  readonly userId: string
}

export interface Forgery {
  /** Completes "a token …": "with the algorithm none". */
  readonly name: string
  readonly token: string
  /** Whom it claims to be made for, which is what a client that uses it declares. */
  readonly userId: string
}

/** The JWS as it came, taken apart; null where the token is a JWE, or none at all. */
export function takenApart(token: string, userId: string): Original | null {
  const read = readToken(token)
  const [, payload, signature] = token.split('.')
  if (read?.format !== 'JWS' || payload === undefined || signature === undefined) return null
  return { header: read.header, payload: decoded(payload), signature: decoded(signature), userId }
}

/**
 * A JWS with the header and claims that services use most, for services whose tokens cannot be read. Its signature
 * is blank. `now` is in seconds since 1970.
 */
export function madeUp(userId: string, now: number): Original {
  const claims = { sub: userId, userId, user_id: userId, iat: now, exp: now + 900 }
  return {
    header: { alg: 'ES256', typ: 'JWT' },
    payload: encodedJson(claims),
    signature: new Uint8Array(64),
    userId,
  }
}

export function signingInput(header: Readonly<Record<string, unknown>>, payload: Uint8Array): string {
  return `${base64url(encodedJson(header))}.${base64url(payload)}`
}

/** Header, payload and signature as one token. */
export function compact(
  header: Readonly<Record<string, unknown>>,
  payload: Uint8Array,
  signature: Uint8Array,
): string {
  return `${signingInput(header, payload)}.${base64url(signature)}`
}

/** The claims; empty where the payload is no JSON object. */
export function claimsOf({ payload }: Original): Readonly<Record<string, unknown>> {
  const value = parsed(payload)
  return isRecord(value) ? value : {}
}

/** The bytes with the lowest bit of one flipped: always other bytes, unlike a changed last letter of base64url. */
export function flipped(bytes: Uint8Array, index: number): Uint8Array {
  return bytes.map((byte, place) => (place === index ? byte ^ 1 : byte))
}

/** Each try parses the whole payload: of a long one, only the last bytes are tried. */
const mostBytesParsed = 4_194_304
const fewestTries = 64

/**
 * The payload with one byte flipped so that it still reads as claims for the same user that have not expired: what a
 * service takes that decodes and does not verify. Null where no byte can be spared.
 */
export function flippedReadably(original: Original): Uint8Array | null {
  const before = parsed(original.payload)
  if (!isRecord(before)) return null
  const kept = (claims: unknown) => JSON.stringify(leavesToKeep(claims, original.userId))
  const wanted = kept(before)
  const { length } = original.payload
  const least = Math.max(0, length - Math.max(fewestTries, Math.floor(mostBytesParsed / length)))
  for (let index = length - 1; index >= least; index -= 1) {
    const payload = flipped(original.payload, index)
    const after = parsed(payload)
    if (isRecord(after) && kept(after) === wanted) return payload
  }
  return null
}

/** Every place that holds the user's id, and every number: times and versions stay what they are. */
function leavesToKeep(claims: unknown, userId: string): unknown[] {
  return jsonPaths(claims).map(({ path, value }) => [
    path,
    typeof value === 'number' || (typeof value === 'string' && value.includes(userId)) ? value : typeof value,
  ])
}

/** The claims with another user wherever the first one occurs, alone or inside a longer text. */
export function forUser(claims: unknown, from: string, to: string): unknown {
  if (typeof claims === 'string') return claims.replaceAll(from, () => to)
  if (Array.isArray(claims)) return claims.map((claim) => forUser(claim, from, to))
  if (!isRecord(claims)) return claims
  return Object.fromEntries(Object.entries(claims).map(([name, claim]) => [name, forUser(claim, from, to)]))
}

export function encodedJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

export function base64url(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString('base64url')
}

function decoded(part: string): Uint8Array {
  return Buffer.from(part, 'base64url')
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parsePeerJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
