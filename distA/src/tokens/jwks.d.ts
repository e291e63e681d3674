import type { JWK } from 'jose';
import type { HttpClient } from '../http/client.ts';
/** The service's published keys: from a URL, or from a file. Throws `ControlLost` when there are none. */
export declare function loadJwks(source: string, http: HttpClient): Promise<JWK[]>;
