import type { TokenModel } from './jwt.ts'
import type { OnProgress } from './progress.ts'

/** Settings of an audit: its targets, and how far it may go. */
export interface AuditSettings {
  /** Host, or host:port. */
  readonly mintHost?: string | undefined
  /** Models of the mint's tokens: a token that resembles one is a calling JWT. */
  readonly like?: readonly TokenModel[]
  readonly prefix?: string | undefined
  /** Characters that a key has after its prefix at least. */
  readonly leastSuffix?: number | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Is told what is read next, inside containers too, after each megabyte. */
  readonly onProgress?: OnProgress | undefined
}

/** Bounds on what one path may cost; each breach is a gap. */
export interface Limits {
  /** Containers inside containers. */
  readonly depth: number
  /** Largest file or entry in bytes that is held in memory whole: others are read from where they are, or in windows. */
  readonly wholeBytes: number
  /** All that is held in memory of containers inside containers, in bytes. */
  readonly heldBytes: number
  /** Bytes after decompression, of one path. */
  readonly totalBytes: number
  readonly entries: number
  /** Seconds of a processor for folding one script. */
  readonly fileSeconds: number
}

const megabyte = 1024 * 1024

export const defaultLimits: Limits = {
  depth: 12,
  wholeBytes: 128 * megabyte,
  heldBytes: 144 * megabyte,
  totalBytes: 64 * 1024 * megabyte,
  entries: 2_000_000,
  fileSeconds: 8,
}

/** The cost so far of reading one path. */
export interface Spent {
  /** Innermost files, and their bytes. */
  entries: number
  bytes: number
  /** Places that were looked at closer. */
  places: number
  /** Files and entries of any kind, and their bytes after decompression. */
  opened: number
  inflated: number
  /** The limit of `inflated` for the file that is being read. */
  allowed: number
}

export const nothingSpent: Spent = { entries: 0, bytes: 0, places: 0, opened: 0, inflated: 0, allowed: 0 }
