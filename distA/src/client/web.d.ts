import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SeenRequest } from '../parts/client.ts';
import type { Ground } from './ground.ts';
/** Something that the client loaded, as text. */
export interface LoadedText {
    readonly url: URL;
    readonly contentType: string;
    readonly text: string;
    /** Where its source map is said to be. */
    readonly sourceMap: URL | null;
}
/** All of the web but the doubles. What holds a secret goes on to the customer's own hosts only. */
export interface Web {
    request(url: URL, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void>;
    socket(url: URL, request: IncomingMessage, stream: Duplex, head: Buffer): void;
    requests(): readonly SeenRequest[];
    loaded(): readonly LoadedText[];
    end(): void;
}
export declare function createWeb(ground: Ground): Web;
