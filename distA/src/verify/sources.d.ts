import type { HttpClient } from '../http/client.ts';
import { type PactFile } from './pact-file.ts';
/**
 * Reads the pacts at a file, a folder or an http(s) address.
 * @throws TwotokenError `usage` or `precondition` where there is none
 */
export declare function pactsAt(place: string, http: HttpClient): Promise<PactFile[]>;
/**
 * Those of one provider.
 * @throws TwotokenError `usage` where all are of others
 */
export declare function pactsOf(provider: string, pacts: readonly PactFile[]): PactFile[];
