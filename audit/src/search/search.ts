import type { Needle } from './needles.ts'

/** Callbacks of a search, one call for each place that it finds. */
export interface Hits {
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
