import type { AnyCheck } from '../check/check.ts';
import type { CheckResult } from '../check/run-check.ts';
import type { Configuration, SignalingProfile } from '../configuration/configuration.ts';
import type { Exchange } from '../evidence/exchange.ts';
import type { Registered } from '../evidence/redact.ts';
import type { RunResults } from '../reports/results.ts';
/** What was found out about a signaling service that the configuration says nothing of. */
export interface DetectedProfile {
    readonly profile: SignalingProfile | null;
    /** Why nothing is judged by what was found; null where it is. */
    readonly missing: string | null;
    readonly exchanges: readonly Exchange[];
    readonly secrets: readonly Registered[];
    readonly mints: number;
}
/** Whether some of the checks need a profile that the configuration does not have, and one could be found. */
export declare function needsDetection({ signaling, mint, backend }: Configuration, checks: readonly AnyCheck[]): boolean;
export declare function detectedProfile(configuration: Configuration, { maxMints, signal, onProgress, }: {
    readonly maxMints?: number | undefined;
    readonly signal: AbortSignal;
    onProgress(what: string): void;
}): Promise<DetectedProfile>;
/** The configuration with what was found in the place of the missing profile. */
export declare function withProfile(configuration: Configuration, { profile, missing }: DetectedProfile): Configuration;
/** Says of every verdict that rests on what was found that it does, and of the others why nothing was. */
export declare function marked(results: readonly CheckResult[], checks: readonly AnyCheck[], { missing }: DetectedProfile): CheckResult[];
/** The profile among the observations, and the exchanges that it was found in. */
export declare function withDetection(results: RunResults, { profile, missing, exchanges }: DetectedProfile): RunResults;
