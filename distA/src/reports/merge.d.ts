import type { CheckResult } from '../check/run-check.ts';
import { type RunResults } from './results.ts';
/** A part of a run, and the file that it was read from. */
export interface Part {
    readonly file: string;
    readonly run: RunResults;
}
/** What is known of a requirement that no part has judged. */
export type Describe = (id: string) => Pick<CheckResult, 'id' | 'title' | 'role' | 'level' | 'clauses'>;
/**
 * Puts the shards of one run together. What a lost shard should have judged is an `error`, so that nothing is
 * conformant by omission.
 * @throws TwotokenError `usage` for parts that do not belong together, or that judged the same requirement twice
 */
export declare function mergeRuns(parts: readonly Part[], describe: Describe): RunResults;
