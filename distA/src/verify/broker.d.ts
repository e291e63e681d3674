import type { HttpClient } from '../http/client.ts';
import { type PactFile } from './pact-file.ts';
export interface BrokerOptions {
    readonly url: string;
    /** A bearer token, or name and password. */
    readonly access?: {
        readonly token: string;
    } | {
        readonly user: string;
        readonly password: string;
    };
    readonly http: HttpClient;
}
export interface Selection {
    readonly provider: string;
    /** Consumer version selectors, as the broker documents them. */
    readonly selectors: readonly Readonly<Record<string, unknown>>[];
    /** Failures of pacts that no verified version has had yet do not count. */
    readonly enablePending: boolean;
    readonly providerBranch?: string;
}
export interface Publication {
    readonly success: boolean;
    readonly providerVersion: string;
    readonly providerBranch?: string;
    readonly buildUrl?: string;
    readonly testResults: readonly {
        readonly id: string;
        readonly verdict: string;
    }[];
}
export interface Broker {
    pacts(selection: Selection): Promise<PactFile[]>;
    publish(pact: PactFile, publication: Publication): Promise<void>;
}
/** A client of the Pact Broker's HTTP API (HAL): every address but the first is one that the broker gave. */
export declare function createBroker({ url, access, http }: BrokerOptions): Broker;
