import type { SignalingProfile } from '../configuration/configuration.ts';
import type { Signaling } from '../signaling/attempt.ts';
import { type Confirmation } from './confirm.ts';
import { type Declaration } from './declared.ts';
import { type Draft } from './draft.ts';
import type { Prober } from './prober.ts';
import { type Pace } from './search.ts';
import type { Supply } from './supply.ts';
export interface FoundSignaling {
    readonly profile: SignalingProfile;
    readonly declaration: Declaration['how'];
    readonly confirmation: Confirmation;
    /** Exchanges that show what was found. */
    readonly evidence: readonly string[];
}
export interface SignalingSearch {
    readonly url: string;
    readonly prober: Prober;
    readonly supply: Supply;
    readonly pace?: Pace;
    /** What the user thinks it might be: tried before everything else. */
    readonly hints: readonly Draft[];
    /** The driver that judges by a profile, with which the found one is tried. */
    driverOf(profile: SignalingProfile): Signaling;
    onProgress(what: string): void;
}
/**
 * Finds out how a service is joined, and how it says yes and no.
 * @throws GivenUp where nothing tells those who are let in from those who are not
 */
export declare function detectSignaling(search: SignalingSearch): Promise<FoundSignaling>;
