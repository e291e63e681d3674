import type { CheckResult } from '../check/run-check.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { type Exchange } from '../evidence/exchange.ts';
import { type Registered } from '../evidence/redact.ts';
import type { ServerCertificate } from '../tls/certificates.ts';
import { type Core } from './core.ts';
import { type Interaction } from './interaction.ts';
import type { PactFile } from './pact-file.ts';
import { type Provider } from './provider.ts';
export interface VerifyTask {
    readonly role: 'mint' | 'backend';
    readonly configuration: Configuration;
    /** Chooses among the pacts once the provider's body shape is known. */
    choose(provider: Provider): readonly PactFile[];
    /** PEM certificates to trust besides the system's. */
    readonly ca?: readonly string[];
    /** What the mint double proves itself with, where it listens with TLS. */
    readonly doubleCertificate?: ServerCertificate;
    readonly stateUrl?: string;
    readonly stateCommand?: string;
    readonly core?: Core;
}
export interface Verification {
    readonly judged: readonly {
        readonly interaction: Interaction;
        readonly check: CheckResult;
    }[];
    readonly exchanges: readonly Exchange[];
    /** For the last scan before anything is written; never written itself. */
    readonly secrets: readonly Registered[];
}
/**
 * Verifies pacts against the provider of the configuration.
 * @throws TwotokenError `precondition` where it cannot be reached, or where there is nothing to verify
 */
export declare function verifyPacts(task: VerifyTask): Promise<Verification>;
