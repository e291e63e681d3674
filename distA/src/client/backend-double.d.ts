import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BackendDouble } from '../parts/client.ts';
import type { Ground } from './ground.ts';
export interface ServingBackend extends BackendDouble {
    serve(url: URL, request: IncomingMessage, response: ServerResponse, body: string): Promise<void>;
    /** Records what is still unanswered. */
    end(): void;
}
export declare function createBackendDouble(ground: Ground): ServingBackend;
