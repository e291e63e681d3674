import type { AnyCheck } from '../check/check.ts';
import type { CheckResult } from '../check/run-check.ts';
/** Which requirements a number of calling tokens is enough for. */
export interface MintPlan {
    readonly within: readonly AnyCheck[];
    readonly beyond: readonly CheckResult[];
    /** What the chosen requirements may cost, before any is left out. */
    readonly cost: number;
}
/** Takes them in their order; one that costs too much does not keep out cheaper ones behind it. */
export declare function planMints(checks: readonly AnyCheck[], limit: number | null, spent: number): MintPlan;
