export declare const verdicts: readonly ['pass', 'fail', 'warn', 'info', 'not-applicable', 'untested', 'error'];
export type Verdict = (typeof verdicts)[number];
export type Level = 'MUST' | 'SHOULD' | 'TYPICAL' | 'ADVISORY' | 'INFO';
export type Outcome = 'conformant' | 'nonconformant' | 'incomplete' | 'error';
export declare function worst(parts: Iterable<Verdict>, least: Verdict): Verdict;
/** What a broken part of this level makes of the whole requirement. */
export declare function verdictOfBreach(level: Level): Verdict;
/** A run in which nothing was judged is never conformant. */
export declare function outcomeOf(counts: Readonly<Record<Verdict, number>>): Outcome;
export declare const exitCodeOfOutcome: Readonly<Record<Outcome, number>>;
