import type { Output } from './output.ts';
export interface DiffOptions {
    /** The `results.json` of the earlier run. */
    readonly older: string;
    readonly newer: string;
    readonly json: boolean;
}
/**
 * `twotoken diff`: what changed between two runs. Returns 1 for a violation that was not there before, 3 where
 * something that was judged before is unknown now.
 * @throws TwotokenError `usage` or `secret-in-output`
 */
export declare function diff({ older, newer, json }: DiffOptions, { stdout }: Output): Promise<number>;
