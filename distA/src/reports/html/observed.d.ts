import type { RunResults } from '../results.ts';
/** What the implementation does where the specification is silent, by part; what has a section of its own is left out. */
export declare function observedHtml(run: RunResults): string;
