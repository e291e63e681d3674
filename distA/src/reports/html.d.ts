import type { RunResults } from './results.ts';
/** A page that needs nothing else: the outcome first, then what to look at, then what was only recorded. */
export declare function renderHtml(run: RunResults): string;
