import type { Clock } from '../clock/clock.ts';
import type { Journal, Party, RecordedEvent, RecordedMessage } from '../evidence/exchange.ts';
import type { Redactor } from '../evidence/redact.ts';
/** What happens between the client and its doubles, as it stands in the results: redacted, and in the suite's time. */
export interface Timeline {
    now(): number;
    /** The id of something that goes on; `http` or `socket` records it when it is over. */
    begin(): string;
    http(id: string, seen: SeenHttp): void;
    socket(id: string, seen: SeenSocket): void;
    /** Hands everything to the journal: only now are all secrets known that have to be hidden in it. */
    end(): void;
}
interface SeenHttp {
    readonly to: Party;
    readonly at: number;
    readonly method: string;
    readonly url: string;
    readonly headers: RecordedMessage['headers'];
    readonly body: string;
    readonly response?: {
        readonly status: number;
        readonly headers: RecordedMessage['headers'];
        readonly body: string;
    };
    readonly failure?: string;
}
interface SeenSocket {
    readonly to: Party;
    readonly at: number;
    readonly url: string;
    readonly headers: RecordedMessage['headers'];
    readonly events: readonly RecordedEvent[];
    readonly verdict: string;
}
export interface TimelineOptions {
    readonly journal: Journal;
    readonly redactor: Redactor;
    readonly clock: Clock;
    /** The monotonic instant that recorded times count from. */
    readonly runStart: number;
}
export declare function createTimeline({ journal, redactor, clock, runStart }: TimelineOptions): Timeline;
export {};
