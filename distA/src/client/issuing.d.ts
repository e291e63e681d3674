import type { TokenConfiguration } from '../configuration/configuration.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { IssuedToken } from '../parts/client.ts';
import type { SigningKey } from '../tokens/signing-key.ts';
/** The calling JWTs that a client is given: real ones, each different from every other. */
export interface Issuing {
    issue(userId: string, lifetimeSeconds: number): Promise<string>;
    readonly issued: readonly IssuedToken[];
    find(jwt: string): IssuedToken | undefined;
    isExpired(token: IssuedToken): boolean;
}
/** Signs with the operator's test key, or with one of this process. */
export declare function createIssuing(given: SigningKey | null, { userIdClaim }: TokenConfiguration, redactor: Redactor, { monotonic, wall }: {
    readonly monotonic: () => number;
    readonly wall: () => number;
}): Issuing;
