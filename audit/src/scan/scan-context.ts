import type { Collector } from '../model/collector.ts'
import type { Effort } from '../model/effort.ts'
import type { JwtJudge } from '../model/jwt.ts'
import type { Spent } from '../model/settings.ts'
import type { Searcher } from './search.ts'

/** Parts of an audit that a scan of bytes needs. */
export interface ScanContext {
  readonly collector: Collector
  readonly searcher: Searcher
  readonly prefix: string
  /** Characters that a key has after its prefix at least. */
  readonly leastSuffix: number
  readonly escaped: RegExp
  readonly mintHost: string | undefined
  readonly jwts: JwtJudge
  /** Effort left for reading the file, or a part of it. */
  readonly effort: Effort
  /** The archive that the file is in, or the folder. */
  readonly archive: Archive
  /** Counted while a path is read. */
  readonly spent: Spent
}

/** State that the files of one archive or folder share. */
export interface Archive {
  /** Locations of class files and scripts that have a part of a key, which others may put together. */
  readonly parts: Set<string>
}

/** Steps for a close look at a place that may hold a key, a token or an address. */
export const stepsOfCandidate = 4000
