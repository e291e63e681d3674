import type { CheckResult } from '../check/run-check.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Exchange } from '../evidence/exchange.ts';
import type { Registered } from '../evidence/redact.ts';
import type { ServerCertificate } from '../tls/certificates.ts';
export interface ContractRun {
    readonly checks: readonly CheckResult[];
    /** With ids of their own, so that they can stand beside those of the run. */
    readonly exchanges: readonly Exchange[];
    readonly secrets: readonly Registered[];
}
/**
 * What `run --with-contracts` adds: the committed contracts against every provider that the configuration names. Each
 * result says in `observations.requirements` which requirements it touches. To be called when the checks are done,
 * since a backend's mint double can listen only once.
 */
export declare function contractsOf(configuration: Configuration, options?: {
    readonly doubleCertificate?: ServerCertificate;
}): Promise<ContractRun>;
