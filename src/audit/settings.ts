import type { JwtJudge } from './jwt.ts'
import type { Collector } from './report-to.ts'
import type { Searcher } from './scan/search.ts'

/** Bounds on what one path may cost; each breach is a gap. */
export interface Limits {
  /** Containers inside containers. */
  readonly depth: number
  /** Largest file or entry in bytes that is held in memory whole. */
  readonly wholeBytes: number
  /** Largest entry in bytes, after decompression. */
  readonly entryBytes: number
  /** Bytes after decompression, of one path. */
  readonly totalBytes: number
  readonly entries: number
}

export const defaultLimits: Limits = {
  depth: 12,
  wholeBytes: 128 * 1024 * 1024,
  entryBytes: 128 * 1024 * 1024,
  totalBytes: 6 * 1024 * 1024 * 1024,
  entries: 2_000_000,
}

/** What every part of an audit shares. */
export interface Audit {
  readonly collector: Collector
  readonly searcher: Searcher
  readonly prefix: string
  /** Characters that a key has after its prefix at least. */
  readonly leastSuffix: number
  readonly escaped: RegExp
  readonly mintHost: string | undefined
  readonly jwts: JwtJudge
  readonly limits: Limits
  /** Counted while a path is read. */
  readonly spent: { entries: number; bytes: number }
}

/** One file, or one entry of a container, in memory. */
export interface Item {
  readonly location: string
  /** The last part of its name, for formats that have no other mark. */
  readonly name: string
  readonly bytes: Buffer
  readonly depth: number
}
