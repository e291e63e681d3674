import type { AnyCheck } from '../check/check.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { type MintPlan } from '../runner/plan.ts';
import { type Shard } from '../runner/shard.ts';
import type { Started } from '../start/started.ts';
import { type DetectedProfile } from './detected-profile.ts';
import type { RunEnvironment, RunOptions } from './run-options.ts';
/** What is judged, with what, and where the results go. */
export interface Plan {
    readonly checks: readonly AnyCheck[];
    readonly configuration: Configuration;
    /** What was brought up for this run. */
    readonly started: Started | null;
    readonly out: string;
    /** This machine's share, and the requirements of all of them. */
    readonly shard?: Shard & {
        readonly ids: readonly string[];
    };
    /** What was found out in the place of a profile. */
    readonly detected: DetectedProfile | null;
    /** What is judged within the limit on calling tokens, and what is not. */
    readonly mints: MintPlan & {
        readonly left: number | null;
    };
}
/** Everything that can be found wrong before anything is judged; null when the user interrupts it. */
export declare function prepared(options: RunOptions, environment: RunEnvironment, signal: AbortSignal, stack: AsyncDisposableStack): Promise<Plan | null>;
