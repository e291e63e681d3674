import type { SignalingProfile } from '../configuration/configuration.ts';
import type { Refusals } from '../parts/client.ts';
/** What the double of a signaling service says, and how it refuses: made from the signs that a profile gives. */
export interface Speech {
    readonly refusals: Refusals;
    /** Sent as soon as a socket is open: the cue that a carriage by message waits for. */
    readonly greeting: string | null;
    /** What an accepted client is sent; null where an open socket that stays quiet is the sign. */
    welcome(userId: string): string | null;
    readonly status: number;
    readonly closeCode: number;
    readonly refusalFrame: string;
}
/** `seesStatus`: the client can see with which HTTP status an upgrade was refused, which a page cannot. */
export declare function speechOf(profile: SignalingProfile, { seesStatus }: {
    readonly seesStatus: boolean;
}): Speech;
