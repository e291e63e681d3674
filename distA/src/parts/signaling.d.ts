import type { Clock } from '../clock/clock.ts';
import type { SignalingConfiguration } from '../configuration/configuration.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { Accepted, Attempt, AttemptRequest, Signaling as Driver } from '../signaling/attempt.ts';
import type { CallingTokens } from './calling-tokens.ts';
/** Hosted signaling as a client sees it. Sockets are closed before an attempt is returned, unless it is held. */
export interface Signaling {
    readonly url: string;
    readonly configuration: SignalingConfiguration;
    /** Whether the protocol lets a client state its userId. */
    readonly declaresUser: boolean;
    /** One attempt; an accepted socket is closed at once. */
    attempt(request: AttemptRequest): Promise<Attempt>;
    /** One attempt whose socket stays open when it is accepted: dispose of `socket`. */
    hold(request: AttemptRequest): Promise<Attempt>;
    /**
     * An attempt to join with a token that should do. One after the other for a user: a service may let each have one
     * connection only.
     */
    join(token: {
        readonly jwt: string;
        readonly userId: string;
    }): Promise<Attempt>;
    /** An attempt that must succeed; throws `ControlLost` when it does not. The socket is closed. */
    accepted(token: {
        readonly jwt: string;
        readonly userId: string;
    }): Promise<Accepted>;
    /** A control: a fresh token, of a user of its own where users can be chosen, is accepted. */
    control(): Promise<void>;
}
export interface SignalingOptions {
    readonly signaling: SignalingConfiguration;
    readonly driver: Driver;
    readonly tokens: CallingTokens | null;
    readonly redactor: Redactor;
    readonly clock: Clock;
}
export declare function createSignalingPart(options: SignalingOptions): Signaling;
