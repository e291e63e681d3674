import type { Collector } from '../model/collector.ts'
import type { JwtJudge } from '../model/jwt.ts'
import type { Spent } from '../model/settings.ts'
import type { Gate } from '../script/gate.ts'
import type { ScriptReader } from '../script/reader.ts'
import type { Searcher } from './search.ts'

/** Parts of an audit that a scan of bytes needs. */
export interface ScanContext {
  readonly collector: Collector
  readonly searcher: Searcher
  readonly gate: Gate
  readonly reader: ScriptReader
  readonly prefix: string
  /** Characters that a key has after its prefix at least. */
  readonly leastSuffix: number
  readonly escaped: RegExp
  readonly mintHost: string | undefined
  readonly jwts: JwtJudge
  /** Counted while a path is read. */
  readonly spent: Spent
}
