import type { CheckResult } from '../check/run-check.ts';
import type { Outcome, Verdict } from '../check/verdict.ts';
import type { RunResults } from './results.ts';
/** From what has to be looked at first to what is only counted. */
export declare const verdictOrder: readonly Verdict[];
export declare const verdictTitles: Readonly<Record<Verdict, string>>;
export declare const outcomeSentences: Readonly<Record<Outcome, string>>;
/** The requirement as a sentence: its title completes "the mint …". */
export declare function sentenceOf({ role, title }: Pick<CheckResult, 'role' | 'title'>): string;
export declare function withVerdict({ checks }: RunResults, verdict: Verdict): CheckResult[];
/** What is to be said of one requirement: its findings, and the reason where no finding repeats it. */
export declare function statementsOf(check: CheckResult): string[];
/** The reason, where the findings do not say it already. */
export declare function reasonBeside({ findings, reason }: CheckResult): string | null;
export interface SeenAndExpected {
    readonly saw: string;
    readonly expected: string;
}
/** A finding's sentence taken apart; `null` where it has another form. */
export declare function seenAndExpected(message: string): SeenAndExpected | null;
export declare function clauseText(clauses: readonly string[]): string;
/** The requirements of one reason side by side, in the order in which the reasons appear. */
export declare function byReason(checks: readonly CheckResult[]): {
    reason: string;
    ids: string[];
}[];
export declare function secondsOf(durationMs: number): string;
