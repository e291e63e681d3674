import type { Clock } from '../clock/clock.ts';
import type { Journal, Party } from '../evidence/exchange.ts';
import type { Redactor } from '../evidence/redact.ts';
import { type FailureKind } from './failure.ts';
import { type Headers } from './headers.ts';
export interface HttpRequest {
    readonly to: Party;
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly body?: string | Uint8Array;
    /** Follow at most five redirects, and only within the origin: a credential never leaves it. */
    readonly followRedirects?: boolean;
    /** Overrides the deadline of the whole exchange. */
    readonly deadlineMs?: number;
}
/** What came back: a whole answer, or the way in which there was none. Nothing that a peer does throws. */
export type Reply = Answer | NoAnswer;
export interface Answer {
    readonly kind: 'answer';
    readonly status: number;
    readonly statusText: string;
    readonly headers: Headers;
    /** The body as UTF-8; bytes that are none are replaced. */
    readonly body: string;
    /** The parsed body, or `undefined` where it is not JSON. */
    readonly json: unknown;
    /** Every text that went out with the request: an answer that repeats some of it only echoes. */
    readonly sent: string;
    /** Monotonic milliseconds. */
    readonly sentAt: number;
    readonly receivedAt: number;
    readonly exchange: string;
}
export interface NoAnswer {
    readonly kind: 'no-answer';
    readonly failure: FailureKind;
    /** A clause for a sentence: "did not answer within 10 s". */
    readonly message: string;
    readonly sentAt: number;
    readonly receivedAt: number;
    readonly exchange: string;
}
export interface HttpClient extends AsyncDisposable {
    send(request: HttpRequest): Promise<Reply>;
}
export interface HttpOptions {
    readonly journal: Journal;
    readonly redactor: Redactor;
    readonly clock: Clock;
    /** The monotonic instant that recorded times count from; now where absent. */
    readonly runStart?: number;
    /** PEM certificates to trust besides the system's. */
    readonly ca?: readonly string[];
    readonly deadlineMs: number;
    readonly bodyBytes: number;
    readonly from?: Party;
}
/** An HTTP client that bounds everything a peer can send: time, header, body, redirects, inflation. */
export declare function createHttpClient(options: HttpOptions): HttpClient;
