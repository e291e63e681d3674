import type { AnyCheck } from '../check/check.ts';
import type { CheckResult } from '../check/run-check.ts';
import type { CheckReport } from '../runner/protocol.ts';
/** One result per requirement, in the order of the catalogue; what did not get its turn says why. */
export declare function inOrder(checks: readonly AnyCheck[], reports: readonly CheckReport[], interrupted: boolean, unaffordable: readonly CheckResult[]): CheckResult[];
