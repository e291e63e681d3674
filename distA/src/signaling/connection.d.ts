import type { SecureContext } from 'node:tls';
import type { Clock } from '../clock/clock.ts';
import { type EventLog } from './event-log.ts';
import type { Offer } from './offer.ts';
/** `ending`: the peer has begun to refuse or to close, and the event that says how comes within `endingMs`. */
type Stage = 'dialling' | 'upgrading' | 'open' | 'ending' | 'over';
/** A WebSocket whose every turn is an event of its log. Nothing that a peer does throws. */
export interface Connection extends AsyncDisposable {
    readonly log: EventLog;
    stage(): Stage;
    /** The peer took the connection, and over TLS proved who it is. */
    isReached(): boolean;
    /** False where the connection is not open any more. */
    send(text: string): boolean;
}
export interface ConnectionOptions {
    /** Whom to trust; the system's authorities where absent. */
    readonly secureContext?: SecureContext;
    /** Largest message that is read. */
    readonly frameBytes: number;
    readonly deadlineMs: number;
    readonly clock: Clock;
}
/** How long `ending` can last at most, and some slack. */
export declare const endingMs = 1500;
export declare function connect(offer: Offer, options: ConnectionOptions): Connection;
export {};
