import type { Collector } from '../model/collector.ts'
import type { Effort } from '../model/effort.ts'
import type { JwtJudge } from '../model/jwt.ts'
import type { Spent } from '../model/settings.ts'
import type { Searcher } from './search.ts'

/** What a scan of bytes needs of an audit. */
export interface ScanContext {
  readonly collector: Collector
  readonly searcher: Searcher
  readonly prefix: string
  /** Characters that a key has after its prefix at least. */
  readonly leastSuffix: number
  readonly escaped: RegExp
  readonly mintHost: string | undefined
  readonly jwts: JwtJudge
  /** What reading the file, or a part of it, may still cost. */
  readonly effort: Effort
  /** Counted while a path is read. */
  readonly spent: Spent
}

/** What it takes to look closely at a place that may hold a key, a token or an address. */
export const stepsOfCandidate = 4000
