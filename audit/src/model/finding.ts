import { createHash } from 'node:crypto'

/**
 * The statement of an audit about one place. `shown` and every other text hold no more of a secret than
 * prefix and length.
 */
export interface Finding {
  readonly rule: string
  readonly kind: FindingKind
  readonly level: FindingLevel
  /** Path as given, with nested containers joined by `!`. */
  readonly location: string
  readonly format: string
  /** The decoder that made the string readable: `string-table`, `utf-8`, `base64`, `folded`, … */
  readonly decoder: string
  /** In bytes, in the innermost file. */
  readonly offset: number
  /** In characters of the decoded secret. */
  readonly length: number
  readonly fingerprint: string
  readonly shown: string
  /** Where the end of the secret cannot be known. */
  readonly extent?: 'uncertain' | undefined
  /** The line in a text file, counted from 1. */
  readonly line?: number
  /** In that line, in UTF-16 units, counted from 1. */
  readonly column?: number
  /** The name of the value, where the file has one: of a variable, a setting, a resource or a field. */
  readonly name?: string | undefined
  /** Further places of the same secret. */
  readonly also?: readonly string[]
}

export type FindingKind = 'key' | 'jwt' | 'mint-call' | 'prefix' | 'identifier' | 'exposure'
export type FindingLevel = 'error' | 'warning' | 'note'

/** Something that was not, or not wholly, audited. */
export interface Gap {
  readonly rule: string
  readonly location: string
  readonly reason: string
}

/** Why a part could not be audited, by rule. */
export const gapRules = {
  encrypted: 'AUD-090',
  corrupt: 'AUD-091',
  unsupported: 'AUD-092',
  limit: 'AUD-093',
  fairplay: 'AUD-094',
  opaque: 'AUD-095',
  fallback: 'AUD-096',
  disagreement: 'AUD-097',
  obfuscated: 'AUD-098',
} as const

export type GapKind = keyof typeof gapRules

export interface AuditedPath {
  readonly path: string
  /** Innermost files that were read. */
  readonly entries: number
  /** Bytes read, after decompression. */
  readonly bytes: number
  readonly durationMs: number
}

/** A finding that the baseline accepts, and until when: a day. */
export interface Accepted {
  readonly finding: Finding
  readonly reason: string
  readonly expires: string
}

export interface AuditResult {
  readonly audited: readonly AuditedPath[]
  readonly findings: readonly Finding[]
  readonly gaps: readonly Gap[]
  /** With a baseline: what it leaves out of the findings. */
  readonly accepted?: readonly Accepted[]
}

/** The same secret has the same fingerprint in every place and run, so that a baseline keeps working. */
export function fingerprintOf(secret: string): string {
  const digest = createHash('sha256').update('twotoken\0').update(secret, 'utf8').digest('hex')
  return `sha256:${digest.slice(0, 16)}`
}

/** All that is ever shown of a secret: its prefix and its length. */
export function shownAs(prefix: string, length: number): string {
  return `${prefix}… (${length} characters)`
}
