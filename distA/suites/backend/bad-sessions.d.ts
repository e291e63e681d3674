import type { Configuration, UserSession } from '../../src/configuration/configuration.ts';
import type { BackendRequest } from '../../src/parts/backend.ts';
/** A request without a session that holds; its name completes "a request with …". */
export interface BadSession {
    readonly name: string;
    readonly request: BackendRequest;
    /** Sent by the method that the route need not take: only a token, or a mint call, is judged. */
    readonly byOtherMethod: boolean;
}
export interface KnownSecrets {
    /** A session that holds: what others are derived from. */
    readonly session: UserSession;
    readonly callingJwt: string;
    readonly expired: string | undefined;
    readonly signedOut: string | undefined;
}
export declare function badSessions({ mint, backend }: Configuration, { session: valid, callingJwt, expired, signedOut }: KnownSecrets): BadSession[];
