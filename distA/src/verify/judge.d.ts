import type { CheckResult } from '../check/run-check.ts';
import type { CoreResult } from './core.ts';
import type { Interaction } from './interaction.ts';
import type { Seen } from './relay.ts';
export interface Verified {
    readonly interaction: Interaction;
    readonly role: 'mint' | 'backend';
    readonly seen: Seen;
    /** `undefined` where the core reported nothing. */
    readonly result: CoreResult | undefined;
    /** Server keys that no answer may hold. */
    readonly keys: readonly string[];
    readonly durationMs: number;
}
/** Turns what the core reported and what was seen on the wire into one verdict. A result without an exchange is none. */
export declare function judgeInteraction(verified: Verified): CheckResult;
