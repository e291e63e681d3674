import type { Clock } from '../clock/clock.ts';
import type { SignalingProfile } from '../configuration/configuration.ts';
import type { Journal } from '../evidence/exchange.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { Headers } from '../http/headers.ts';
import type { SignalingEvent } from './event-log.ts';
/** One try to join hosted signaling. */
export interface AttemptRequest {
    /** Null: no credential at all. */
    readonly token: string | null;
    /** The userId that the client states, for `{userId}` and the declaredUser of the profile. */
    readonly declaredUser?: string;
    /** Sent with the upgrade in addition, such as Origin. */
    readonly headers?: Headers;
    /** Overrides the time that the profile gives the service to decide. */
    readonly deadlineMs?: number;
    /** Says nothing once the socket is open, whatever the profile would have it say. */
    readonly silent?: boolean;
}
export type Attempt = Accepted | Refused | Untestable;
interface Base {
    readonly exchange: string;
    /** Some event matched the profile's `unauthorized`: what happened is reported as 401. */
    readonly unauthorized: boolean;
    /** A clause that completes "signaling …": "closed with 1008". Holds no secret. */
    readonly summary: string;
    readonly events: readonly SignalingEvent[];
    /** Monotonic milliseconds, like `decidedAt`: when the sign that decided was seen. */
    readonly startedAt: number;
    readonly decidedAt: number;
}
export interface Accepted extends Base {
    readonly outcome: 'accepted';
    /** Still open; the caller disposes of it. */
    readonly socket: OpenSocket;
}
interface Refused extends Base {
    readonly outcome: 'refused';
    /** False: refused in a way that the profile does not name. */
    readonly named: boolean;
    /** No connection, no name, no TLS that holds, or a limit on the rate: the service did not judge the attempt. */
    readonly unreachable?: boolean;
}
interface Untestable extends Base {
    readonly outcome: 'untestable';
    /** Why this could not be sent where the profile puts it, as a clause. */
    readonly reason: string;
}
export interface OpenSocket extends AsyncDisposable {
    /** Grows while the socket is open. */
    readonly events: readonly SignalingEvent[];
    /** How the connection ended; never rejects. */
    readonly ended: Promise<SignalingEvent>;
    /** False where nothing can be sent: the connection is over, or an adapter holds it. */
    send(text: string): boolean;
    /**
     * The first event since acceptance, or since the last event returned, that satisfies the predicate; null at the
     * deadline or when the connection has ended without one.
     */
    next(predicate: (event: SignalingEvent) => boolean, deadlineMs: number): Promise<SignalingEvent | null>;
}
export interface Signaling {
    /** Resolves within the deadline, `settleMs` and about two seconds, whatever the service does. */
    attempt(request: AttemptRequest): Promise<Attempt>;
    /** The client states its userId besides the token that holds it. */
    readonly declaresUser: boolean;
}
export interface SignalingOptions {
    /** A ws or wss address. */
    readonly url: string;
    readonly profile: SignalingProfile;
    /** PEM certificates to trust besides the system's. */
    readonly ca?: readonly string[];
    readonly journal: Journal;
    readonly redactor: Redactor;
    readonly clock: Clock;
    /** The monotonic instant that recorded times count from; now where absent. */
    readonly runStart?: number;
    /** Largest message that is read from the service. */
    readonly frameBytes: number;
}
/** A client for any signaling that a profile describes. Throws a TwotokenError where the profile cannot be used. */
export declare function createSignaling(options: SignalingOptions): Signaling;
export {};
