import type { Cell } from './prove.ts';
/** What the proof comes to: how many broken variants were caught, how many others were accused. */
export interface ProofSummary {
    readonly requirements: number;
    readonly caught: number;
    readonly broken: number;
    readonly conforming: number;
    readonly accused: readonly string[];
    readonly degenerate: number;
    readonly gaps: number;
}
export declare function summaryOf(cells: readonly Cell[]): ProofSummary;
/** The table of requirements and variants, as Markdown. */
export declare function markdownTable(cells: readonly Cell[]): string;
/** One gap in words: what was judged, what came out, and why. */
export declare function gapLine({ requirement, variant, kind, expected, result }: Cell): string;
