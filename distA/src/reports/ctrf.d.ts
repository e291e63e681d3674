import type { RunResults } from './results.ts';
/** The Common Test Report Format; `rawStatus` is our verdict. */
export declare function renderCtrf(run: RunResults): string;
