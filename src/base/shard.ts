import { TwotokenError } from './errors.ts'

/** One machine's share of a run or a load: the `index`-th of `count`, counted from 1. */
export interface Shard {
  readonly index: number
  readonly count: number
}

/**
 * Reads `2/4`, as Vitest and Playwright write it.
 * @throws TwotokenError `usage`
 */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? []
  const shard = { index: Number(index), count: Number(count) }
  if (shard.count >= 1 && shard.index >= 1 && shard.index <= shard.count) return shard
  throw new TwotokenError(
    'usage',
    `invalid --shard ${text}; use INDEX/COUNT with an index from 1 to the count, such as 2/4`,
  )
}
