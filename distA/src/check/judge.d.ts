import type { Level, Verdict } from './verdict.ts';
/** What was seen, then what was expected; `evidence` are the ids of recorded exchanges. */
export interface Finding {
    readonly level: Level;
    readonly verdict: Verdict;
    readonly message: string;
    readonly evidence: readonly string[];
}
export interface Observed {
    readonly saw: string;
    readonly expected: string;
    readonly evidence?: readonly string[];
}
/** The control of a negative case failed: the case says nothing about the implementation. */
export declare class ControlLost extends Error {
    readonly name = "ControlLost";
    readonly evidence: readonly string[];
    constructor(message: string, evidence?: readonly string[]);
}
/** Something that the check needs turns out to be missing while it runs. */
export declare class Untested extends Error {
    readonly name = "Untested";
}
/** Collects the parts of one verdict; the verdict is the worst of them. */
export interface Judge {
    /** A part that must hold; a breach accuses the implementation. Returns whether it held. */
    must(holds: boolean, observed: Observed): boolean;
    should(holds: boolean, observed: Observed): boolean;
    typical(holds: boolean, observed: Observed): boolean;
    advisory(holds: boolean, observed: Observed): boolean;
    /** Records what the specification leaves open. A dotted name also stands among the run's observations. */
    observe(name: string, value: unknown): void;
    /** One part could not be judged; the others still count. */
    untested(reason: string): void;
    /** One part was lost to the suite or the network; the others still count. */
    lost(reason: string, evidence?: readonly string[]): void;
    /** One part does not apply, since the implementation declares that it has none. */
    notApplicable(reason: string): void;
    /** The requirement can only be recorded, not judged: a verdict that would be `pass` becomes `info`. */
    onlyObserved(reason: string): void;
    /**
     * Runs attacks between two controls. A refusal counts only if both controls were accepted: a lost control makes
     * the verdict `error`, whatever the attacks showed, unless one of them was a violation.
     */
    sandwich(control: () => Promise<unknown>, attacks: () => Promise<void>): Promise<void>;
}
export interface Judgement {
    readonly verdict: Verdict;
    readonly reason: string | null;
    readonly findings: readonly Finding[];
    readonly observations: Readonly<Record<string, unknown>>;
}
export interface RunningJudge extends Judge {
    conclude(): Judgement;
}
export declare function createJudge(level: Level): RunningJudge;
