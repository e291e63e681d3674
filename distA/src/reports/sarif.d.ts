import type { RunResults } from './results.ts';
/**
 * SARIF 2.1.0: a rule per requirement, a result per finding that breaks one. What could not be judged is a notification,
 * so that it accuses nobody, and is not lost either.
 */
export declare function renderSarif(run: RunResults): string;
