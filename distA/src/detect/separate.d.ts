import type { FailureSign, MessageSign } from '../configuration/configuration.ts';
import type { Trace } from './prober.ts';
/** What tells those who were let in from those who were not. */
export interface Separation {
    /** Quiet: nothing is said to those who are let in, while the others are turned away. */
    readonly success: MessageSign | 'quiet';
}
/**
 * Compares attempts with good tokens to attempts without: null where nothing tells them apart for certain. Whoever was
 * let in must still have been connected when the watching ended.
 */
export declare function separation(valid: readonly Trace[], invalid: readonly Trace[]): Separation | null;
/** Whether a single attempt shows what the separation calls success. */
export declare function isSuccess({ success }: Separation, trace: Trace): boolean;
/** How the refused were refused: by what all of each kind of refusal show, and nobody who was let in does. */
export declare function failureSigns(groups: readonly (readonly Trace[])[], valid: readonly Trace[]): FailureSign[];
/** The signs that say 401 in so many words: the number, its close codes, or an error that names the matter. */
export declare function unauthorizedSigns(signs: readonly FailureSign[]): FailureSign[];
/** The signs of a frame before anything was said: what a carriage may wait for. */
export declare function greetingSign(traces: readonly Trace[]): MessageSign | null;
