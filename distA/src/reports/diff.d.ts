import type { CheckResult } from '../check/run-check.ts';
import type { Outcome, Verdict } from '../check/verdict.ts';
import type { RunResults } from './results.ts';
/** One requirement in both runs; null where a run does not have it. */
export interface Change {
    readonly id: string;
    readonly title: string;
    readonly role: CheckResult['role'];
    readonly old: Verdict | null;
    readonly new: Verdict | null;
    /** What the newer run says of it. */
    readonly says: readonly string[];
}
export interface ChangedObservation {
    /** The observation, and the way to what differs in it: `mint.oddTtls › 60.5`. */
    readonly name: string;
    readonly old?: unknown;
    readonly new?: unknown;
}
/** What `twotoken diff --json` prints. Every requirement stands in one list at most. */
export interface RunDiff {
    readonly tool: {
        readonly name: 'twotoken';
        readonly version: string;
    };
    readonly old: RunSummary;
    readonly new: RunSummary;
    /** `fail` now, and not before. */
    readonly newFailures: readonly Change[];
    /** `fail` before; judged now, and no failure. */
    readonly fixed: readonly Change[];
    readonly stillFailing: readonly Change[];
    /** Judged before, and `untested`, `error` or missing now: nothing is known of it. */
    readonly lost: readonly Change[];
    /** Any other verdict than before. */
    readonly changed: readonly Change[];
    /** Only in the newer run, and no failure. */
    readonly added: readonly Change[];
    /** Only in the older run, where it was not judged either. */
    readonly removed: readonly Change[];
    readonly observations: readonly ChangedObservation[];
}
interface RunSummary {
    readonly target: string;
    readonly startedAt: string;
    readonly outcome: Outcome;
}
/**
 * Compares two runs.
 * @throws TwotokenError `usage` where they have no requirement in common
 */
export declare function diffOf(older: RunResults, newer: RunResults): RunDiff;
/** 1 for a violation that was not there before, 3 where something that was judged before is unknown now. */
export declare function exitCodeOfDiff({ newFailures, lost }: RunDiff): 0 | 1 | 3;
export {};
