import type { RunResults } from '../results.ts';
/** The outcome, then how many requirements came out how. */
export declare function headHtml(run: RunResults): string;
