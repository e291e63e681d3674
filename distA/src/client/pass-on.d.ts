import { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
/** Requests that go on to where the client sent them. */
export interface PassingOn {
    /** Resolves with what was answered once it is through; with null where nobody answered, and `failed` says why. */
    request(url: URL, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<Passed | null>;
    /** Relays a WebSocket, and tells what the client sent on it. */
    socket(url: URL, request: IncomingMessage, stream: Duplex, head: Buffer, onSent: (text: string) => void): void;
    /** What a GET answers, as text; null where it does not answer 2xx. */
    text(url: URL): Promise<string | null>;
    /** Why a page could not be had, by its origin. */
    failure(origin: string): string | undefined;
}
export interface Passed {
    readonly status: number;
    readonly contentType: string;
    readonly headers: readonly (readonly [string, string])[];
    /** At most `keptBytes` of it. */
    readonly text: string;
}
export declare function passingOn(ca: readonly string[] | undefined): PassingOn;
