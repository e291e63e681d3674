import type { Configuration } from '../configuration/configuration.ts';
import type { SigningKey } from '../tokens/signing-key.ts';
import { type Bell } from './bell.ts';
import { type Hosts, type Routes } from './hosts.ts';
import { type Issuing } from './issuing.ts';
import { type PassingOn } from './pass-on.ts';
import { type Timeline, type TimelineOptions } from './timeline.ts';
/** What the doubles of one opened client share. */
export interface Ground {
    readonly timeline: Timeline;
    readonly bell: Bell;
    readonly issuing: Issuing;
    readonly hosts: Hosts;
    readonly passing: PassingOn;
    /** Milliseconds on the client's clock since it was opened. */
    clientNow(): number;
    /** The client's clock was run ahead, and the doubles' idea of now with it. */
    skip(ms: number): void;
    /** Real time passes for the client, or does not. */
    hold(isHeld: boolean): void;
    /** The client has begun something. */
    touch(): void;
    lastActivity(): number;
    /** Whom the tokens from now on are for. */
    setUser(userId: string): void;
    userOf(bearer: string | null): string;
    userOfDial(dial: {
        readonly credential: string | null;
        readonly declaredUser: string | null;
    }): string;
    /** A session of the user who is signed in. */
    learnSession(sessionToken: string): void;
    sessions(): readonly string[];
    /** The values that must not get where they do not belong: sessions and calling JWTs. */
    secrets(): readonly string[];
}
export interface GroundOptions extends TimelineOptions {
    readonly configuration: Configuration;
    readonly testKey: SigningKey | null;
    readonly ca: readonly string[] | undefined;
    /** Where the doubles are for a client that is told so; null where its traffic is led to them. */
    readonly routes: Routes | null;
}
export declare function createGround(options: GroundOptions): Ground;
