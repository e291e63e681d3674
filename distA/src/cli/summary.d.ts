import type { RunResults } from '../reports/results.ts';
export interface SummaryOptions {
    readonly color: boolean;
    /** Where the report for people is. */
    readonly reportPath: string;
}
/** What `run` prints at its end: what to look at, by verdict, then the counts, the outcome and the report. */
export declare function summaryText(run: RunResults, { color, reportPath }: SummaryOptions): string;
