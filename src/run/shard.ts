import { TwotokenError } from '../base/errors.ts'
import type { Shard } from '../base/shard.ts'
import type { AnyCheck } from '../requirement/define.ts'

/**
 * Orders requirements so that those whose hooks end something for good, such as a session or a signing key, all fall into the first
 * shard: it runs them last, one after the other.
 */
export function gatherHooks<Check extends Pick<AnyCheck, 'needs' | 'phase'>>(
  checks: readonly Check[],
  { count }: Shard,
): Check[] {
  const hooked = checks.filter(runsHook)
  const others = checks.filter((check) => !runsHook(check))
  return checks.flatMap((_, place) => {
    const next = place % count === 0 ? (hooked.shift() ?? others.shift()) : (others.shift() ?? hooked.shift())
    return next ?? []
  })
}

function runsHook({ needs, phase }: Pick<AnyCheck, 'needs' | 'phase'>): boolean {
  return phase === 'ending' || needs.some((need) => need.endsWith('Hook'))
}

/**
 * Every `count`-th item, so that neighbours (requirements of one part, which cost alike) are spread over the machines.
 * The same items in the same order give the same shares everywhere.
 * @throws TwotokenError `usage` where no requirement is left for this shard: an empty run is no success
 */
export function takeShare<Item>(items: readonly Item[], { index, count }: Shard): Item[] {
  const share = items.filter((_, position) => position % count === index - 1)
  if (share.length > 0) return share
  throw new TwotokenError(
    'usage',
    `--shard ${index}/${count} is empty: only ${items.length} requirements are selected; use at most ${items.length} shards`,
  )
}
