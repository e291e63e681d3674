import { createHash } from 'node:crypto'
import { parsePeerJson } from '../parse-peer-json.ts'
import { isRecord, readToken } from './decode.ts'
import { changeMembers, replaceInStrings } from './edit-json.ts'
import { jsonPaths } from './json-paths.ts'

/** A compact JWS as it came, and decoded: the material of every forgery. */
export interface Original {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Uint8Array
  readonly signature: Uint8Array
  /** The encoded parts as they came. A part that a forgery leaves alone keeps every character. */
  readonly segments: Segments
  /** Whom the token was made for. */
  readonly userId: string
}

interface Segments {
  readonly header: string
  readonly payload: string
  readonly signature: string
}

export interface Forgery {
  /** Completes "a token …": "with the algorithm none". */
  readonly name: string
  readonly token: string
  /** Whom it claims to be made for, which is what a client that uses it declares. */
  readonly userId: string
  /** Only the serialisation is malformed: the signature covers the same bytes, and some libraries read it alike. */
  readonly isLenient?: true
  /** The genuine token has a part more, which verifiers that take a token apart by its dots never read. */
  readonly isUnread?: true
}

/** Undefined takes a parameter away. */
export type HeaderChange = Readonly<Record<string, unknown>>

/** A change to what is signed; the rest stays as it came. */
export interface Change {
  /** Parameters of the header that get another value, in place. */
  readonly header?: HeaderChange | undefined
  readonly payload?: Uint8Array | undefined
}

/** The JWS as it came, taken apart; null where the token is a JWE, or none at all. */
export function takenApart(token: string, userId: string): Original | null {
  const read = readToken(token)
  const [header, payload, signature] = token.split('.')
  if (read?.format !== 'JWS' || header === undefined || payload === undefined || signature === undefined)
    return null
  return {
    header: read.header,
    payload: decoded(payload),
    signature: decoded(signature),
    segments: { header, payload, signature },
    userId,
  }
}

/** A JWS with usual header and claims, where a service's tokens cannot be read. `now` is in seconds since 1970. */
export function madeUp(userId: string, now: number): Original {
  const header = { alg: 'ES256', typ: 'JWT' }
  const claims = { sub: userId, userId, user_id: userId, iat: now, exp: now + 900 }
  const payload = encodedJson(claims)
  const signature = createHash('sha512').update(payload).digest()
  const segments = {
    header: base64url(encodedJson(header)),
    payload: base64url(payload),
    signature: base64url(signature),
  }
  return { header, payload, signature, segments, userId }
}

/** Returns the text that a signature of the changed token covers. */
export function signingInput({ segments }: Original, { header, payload }: Change = {}): string {
  const changed = header === undefined ? segments.header : changeHeader(segments.header, header)
  return `${changed}.${payload === undefined ? segments.payload : base64url(payload)}`
}

/** The changed token with another signature, or the one that it had. */
export function forged(original: Original, change: Change, signature?: Uint8Array): string {
  const end = signature === undefined ? original.segments.signature : base64url(signature)
  return `${signingInput(original, change)}.${end}`
}

/** Adds the user, and drops each token that decodes to the same bytes as the original or an earlier one. */
export function asForgeries(original: Original, made: readonly Omit<Forgery, 'userId'>[]): Forgery[] {
  const seen = new Set([decodedForm(forged(original, {}))])
  return made.flatMap((forgery) => {
    const form = decodedForm(forgery.token)
    if (seen.has(form)) return []
    seen.add(form)
    return [{ ...forgery, userId: original.userId }]
  })
}

function decodedForm(token: string): string {
  return token
    .split('.')
    .map((part) => decoded(part).toString('hex'))
    .join('.')
}

function changeHeader(segment: string, change: HeaderChange): string {
  const text = textOf(decoded(segment))
  const changed = text === null ? null : changeMembers(text, change)
  return changed === null || changed === text ? segment : base64url(changed)
}

/** The claims; empty where the payload is no JSON object. */
export function claimsOf({ payload }: Original): Readonly<Record<string, unknown>> {
  const value = parsed(payload)
  return isRecord(value) ? value : {}
}

/** The payload with these claims changed in place; undefined takes one away. */
export function withClaims({ payload }: Original, change: Readonly<Record<string, unknown>>): Uint8Array {
  const text = textOf(payload)
  const changed = text === null ? null : changeMembers(text, change)
  return changed === null ? encodedJson(change) : Buffer.from(changed)
}

/** The payload with another user wherever its own occurs in a text; the payload itself where it cannot be read. */
export function forUser({ payload, userId }: Original, to: string): Uint8Array {
  const text = parsed(payload) === undefined ? null : textOf(payload)
  return text === null ? payload : Buffer.from(replaceInStrings(text, userId, to))
}

/** The bytes with the lowest bit of one flipped: always other bytes, unlike a changed last letter of base64url. */
export function flipped(bytes: Uint8Array, index: number, bit = 1): Uint8Array {
  return bytes.map((byte, place) => (place === index ? byte ^ bit : byte))
}

/** Each try parses the whole payload: of a long one, only the last bytes are tried. */
const mostBytesParsed = 4_194_304
const fewestTries = 64

/** One byte flipped, so that it still reads as unexpired claims of the same user; null where no byte can be spared. */
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

export function encodedJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

export function base64url(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString('base64url')
}

function decoded(part: string): Buffer {
  return Buffer.from(part, 'base64url')
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parsePeerJson(textOf(bytes) ?? '')
  } catch {
    return undefined
  }
}
