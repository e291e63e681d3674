import type { Collector } from '../model/collector.ts'
import type { JwtJudge } from '../model/jwt.ts'
import type { Spent } from '../model/settings.ts'
import type { Gate } from '../script/gate.ts'
import type { ScriptReader } from '../script/reader.ts'
import type { Needle } from './needles.ts'

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

/** Callbacks of a search, one call for each place that it finds. */
interface Hits {
  needle(offset: number, needle: Needle): void
  /** The prefix under a single-byte XOR; `key` is never 0. */
  xored(offset: number, key: number): void
  /** One character of the prefix, escaped. */
  escape(offset: number): void
}

/** Finds every needle, every XORed prefix and every escaped character of the prefix in one pass. */
export interface Searcher {
  search(bytes: Buffer, hits: Hits): void
}
