import type { RunResults } from '../results.ts';
/** Every requirement once: a row per part, a column per verdict that came up. */
export declare function matrixHtml({ checks }: RunResults): string;
