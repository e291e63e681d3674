import type { RunResults } from '../results.ts';
/** The token flow as it went: drawn for wide and for narrow pages, and told in words. */
export declare function flowHtml(run: RunResults): string;
