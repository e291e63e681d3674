/** Who speaks: the suite itself, one of its doubles, or a part of the implementation. */
export type Party = 'suite' | 'mint' | 'backend' | 'signaling' | 'mint-double' | 'listener' | 'jwks' | 'client' | 'backend-double' | 'signaling-double'
/** Anything else that a client talks to. */
 | 'web';
/** One recorded conversation, redacted at capture. Times are milliseconds since the run began. */
export type Exchange = HttpExchange | WebSocketExchange;
export interface HttpExchange {
    readonly id: string;
    readonly kind: 'http';
    readonly from: Party;
    readonly to: Party;
    readonly at: number;
    readonly durationMs: number;
    readonly request: RecordedMessage & {
        readonly method: string;
        readonly url: string;
    };
    readonly response?: RecordedMessage & {
        readonly status: number;
        readonly statusText: string;
    };
    /** Why there is no (whole) response. */
    readonly failure?: string;
    /** What the suite did besides: a transport error that was tried once more, a redirect that was followed. */
    readonly notes?: readonly string[];
}
export interface RecordedMessage {
    readonly headers: readonly (readonly [name: string, value: string])[];
    /** At most a few kilobytes of it. */
    readonly body: string;
}
export interface WebSocketExchange {
    readonly id: string;
    readonly kind: 'websocket';
    readonly from: Party;
    readonly to: Party;
    readonly at: number;
    readonly durationMs: number;
    readonly request: {
        readonly url: string;
        readonly headers: readonly (readonly [string, string])[];
    };
    readonly events: readonly RecordedEvent[];
    readonly verdict: string;
}
export interface RecordedEvent {
    readonly at: number;
    readonly type: 'http' | 'open' | 'sent' | 'frame' | 'close' | 'error' | 'timeout';
    readonly text: string;
}
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
/** Collects what was exchanged, in order; handed over piecemeal so that an interrupted run keeps its evidence. */
export interface Journal {
    /** Returns the id under which findings refer to the exchange: the given one, or the next. */
    record(exchange: WithoutId<Exchange>, id?: string): string;
    /** The id of an exchange that goes on for a while and is recorded when it is over. */
    reserve(): string;
    /** The exchanges recorded since the last call. */
    drain(): Exchange[];
    /** Runs something, and returns the ids of the exchanges that it recorded. */
    during(run: () => Promise<void>): Promise<readonly string[]>;
}
/** `prefix` begins every id, where several processes record for one run. */
export declare function createJournal(prefix?: string): Journal;
export {};
