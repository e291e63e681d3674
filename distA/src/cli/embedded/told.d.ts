import type { CheckResult } from '../../check/run-check.ts';
/** What a test runner is told of one requirement. */
export interface Told {
    readonly kind: 'failed' | 'untested' | 'remark' | 'held';
    readonly text: string;
}
/** A verdict as a test runner can say it: a test passes, fails, or was not run. */
export declare function toldInATest(result: CheckResult): Told;
