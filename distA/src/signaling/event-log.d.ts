import type { Clock } from '../clock/clock.ts';
import type { RecordedEvent } from '../evidence/exchange.ts';
/** Something that happened on a connection to signaling, as it was: only what is recorded is redacted. */
export interface SignalingEvent {
    /** Monotonic milliseconds. */
    readonly at: number;
    readonly type: RecordedEvent['type'];
    /** A frame's or message's text, a close reason; for `error` and `timeout` a clause that completes "signaling …". */
    readonly text: string;
    /** The status of an `http` event, the close code of a `close` event. */
    readonly code?: number;
}
/** The events of one connection, in order. */
export interface EventLog {
    readonly events: readonly SignalingEvent[];
    /** The event after which nothing follows; never rejects. */
    readonly ended: Promise<SignalingEvent>;
    /** Adds an event and tells the listeners; what comes after the end is dropped. */
    push(event: Omit<SignalingEvent, 'at'>): void;
    /** Returns a function that ends the listening. */
    listen(listener: (event: SignalingEvent) => void): () => void;
    /** The first event behind the last one it returned that satisfies the predicate; null at the deadline or the end. */
    next(predicate: (event: SignalingEvent) => boolean, deadlineMs: number): Promise<SignalingEvent | null>;
    /** Makes `next` begin behind everything seen so far. */
    skipSeen(): void;
}
export declare function isEnd(event: SignalingEvent): boolean;
/** Listeners hear every frame; `events` keeps frames up to `keptCharacters`, so that a flood costs no memory. */
export declare function createEventLog(clock: Clock, keptCharacters: number): EventLog;
