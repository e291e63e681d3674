/** One machine's share of a run: the `index`-th of `count`, counted from 1. */
export interface Shard {
    readonly index: number;
    readonly count: number;
}
/**
 * Reads `2/4`, as Vitest and Playwright write it.
 * @throws TwotokenError `usage`
 */
export declare function parseShard(text: string): Shard;
/**
 * Every `count`-th item, so that neighbours (requirements of one part, which cost alike) are spread over the machines.
 * The same items in the same order give the same shares everywhere.
 * @throws TwotokenError `usage` where nothing is left for this shard: an empty run is no success
 */
export declare function shareOf<Item>(items: readonly Item[], { index, count }: Shard): Item[];
