import type { CheckResult } from '../check/run-check.ts';
import { type Outcome, type Verdict } from '../check/verdict.ts';
import type { Exchange } from '../evidence/exchange.ts';
import type { Shard } from '../runner/shard.ts';
/** `results.json`: one run, redacted. Every other form is rendered from it. */
export interface RunResults {
    readonly tool: {
        readonly name: 'twotoken';
        readonly version: string;
    };
    readonly target: string;
    /** ISO 8601. */
    readonly startedAt: string;
    readonly durationMs: number;
    readonly outcome: Outcome;
    readonly interrupted?: true;
    /** The configuration as it was named on the command line; absent for the embedded reference. */
    readonly config?: string;
    /** The number that reproduces the run's made-up ids and delays. */
    readonly seed: number;
    /** Which share of a run this is, and the requirements of the whole run, so that a lost share is noticed. */
    readonly shard?: Shard & {
        readonly ids: readonly string[];
    };
    readonly summary: Readonly<Record<Verdict, number>>;
    readonly checks: readonly CheckResult[];
    /** What the implementation does where the specification is silent: every dotted observation of the checks. */
    readonly observations: Readonly<Record<string, unknown>>;
    readonly exchanges: readonly Exchange[];
    readonly artefacts?: readonly Artefact[];
    /** The parts that the suite has brought up itself, where it has. */
    readonly parts?: readonly StartedPart[];
}
/** A file that a run left beside its results: the log of a container, a screenshot. */
export interface Artefact {
    readonly title: string;
    /** Relative to the results. */
    readonly file: string;
    /** The requirements that it is about. */
    readonly requirements?: readonly string[];
}
/** What became of one part that the suite has brought up. */
export interface StartedPart {
    readonly part: string;
    readonly image?: string;
    readonly state: string;
    readonly events: readonly string[];
    /** The file beside `results.json` that holds what it printed, redacted. */
    readonly log: string;
}
export interface RunRecord {
    readonly target: string;
    readonly config?: string;
    readonly startedAt: Date;
    readonly durationMs: number;
    readonly seed: number;
    readonly interrupted: boolean;
    readonly shard?: RunResults['shard'];
    readonly checks: readonly CheckResult[];
    readonly exchanges: readonly Exchange[];
    readonly parts?: readonly StartedPart[];
}
export declare function resultsOf(run: RunRecord): RunResults;
/** How many requirements came out how. */
export declare function summaryOf(checks: readonly CheckResult[]): Record<Verdict, number>;
