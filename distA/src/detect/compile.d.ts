import type { SignalingProfile } from '../configuration/configuration.ts';
import { type Draft } from './draft.ts';
import type { Trace } from './prober.ts';
import { type Separation } from './separate.ts';
export interface Gathered {
    readonly valid: readonly Trace[];
    /** Refusals by what was offered: garbage, damaged tokens, nothing. */
    readonly refused: readonly (readonly Trace[])[];
}
/** Puts what was found into the words of a profile; throws `GivenUp` where a profile has no words for it. */
export declare function profileFrom(draft: Draft, { success }: Separation, { valid, refused }: Gathered, subprotocols: readonly string[]): SignalingProfile;
