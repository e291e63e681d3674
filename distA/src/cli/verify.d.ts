import type { Core } from '../verify/core.ts';
import { type Credentials } from './verify-target.ts';
export interface VerifyOptions {
    readonly role: 'mint' | 'backend';
    /** The mint's base URL, or the backend's token route; instead of the configuration's. */
    readonly url?: string;
    readonly config?: string;
    /** Files, folders or addresses; the committed contracts where absent and no broker is named. */
    readonly pacts?: readonly string[];
    /** What the provider is called in the pacts; the role where absent. */
    readonly provider?: string;
    /** The method of the backend's token route. */
    readonly method?: 'POST' | 'GET';
    /** Credentials by name, instead of the configuration's. */
    readonly credentials?: Credentials;
    readonly stateUrl?: string;
    readonly stateCommand?: string;
    readonly broker?: BrokerChoice;
    readonly out?: string;
    readonly strict: boolean;
    readonly json: boolean;
}
export interface BrokerChoice {
    readonly url: string;
    readonly token?: string;
    /** JSON, one consumer version selector each; the main branch and what is deployed or released where absent. */
    readonly selectors?: readonly string[];
    readonly enablePending?: boolean;
    readonly publish?: boolean;
    readonly providerVersion?: string;
    readonly providerBranch?: string;
    readonly buildUrl?: string;
}
export interface VerifyEnvironment {
    readonly directory: string;
    readonly variables: NodeJS.ProcessEnv;
    readonly stdout: {
        write(text: string): unknown;
    };
    readonly stderr: {
        write(text: string): unknown;
    };
    readonly color: boolean;
    /** Verifies with something else than the Pact core, in tests. */
    readonly core?: Core;
}
/** `twotoken verify`: verifies the contracts against any provider. Returns the exit code. */
export declare function verify(options: VerifyOptions, environment: VerifyEnvironment): Promise<number>;
