import type { CheckResult } from '../check/run-check.ts';
import type { Waiver } from '../configuration/configuration.ts';
/**
 * Applies the known failures that the operator declared. A waived `fail` counts as a warning, and a waived warning
 * counts for nothing; both say why. A waiver that is not needed any more, or that has expired, is red, so that none
 * outlives its reason.
 */
export declare function applyWaivers(results: readonly CheckResult[], waivers: readonly Waiver[], today: Date): CheckResult[];
