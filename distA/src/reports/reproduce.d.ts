import type { CheckResult } from '../check/run-check.ts';
import type { RunResults } from './results.ts';
/** The command that judges one requirement again, with the same made-up ids; null where none does. */
export declare function commandFor({ id, role }: Pick<CheckResult, 'id' | 'role'>, run: Pick<RunResults, 'config' | 'seed'>): string | null;
