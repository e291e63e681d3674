import type { Clock } from '../clock/clock.ts';
import type { MintConfiguration, TokenConfiguration } from '../configuration/configuration.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { Answer, HttpClient, Reply } from '../http/client.ts';
import { type Headers } from '../http/headers.ts';
import { type ReadToken } from '../tokens/decode.ts';
import { type Lifetime } from '../tokens/lifetime.ts';
import { type Located } from '../tokens/locate.ts';
import { type MintBudget } from './mint-budget.ts';
/** The path that clause 4.1 fixes, below `{base_url}`. */
export declare const mintPath = "/api/v1/calling/token";
/** What to change about a well-formed mint request. */
export interface MintRequest {
    /** The bearer key; `null` leaves the Authorization header out. By default the configured key. */
    readonly key?: string | null;
    /** The whole Authorization header instead of `Bearer` and the key. */
    readonly authorization?: string;
    readonly method?: string;
    readonly userId?: unknown;
    readonly ttlSeconds?: unknown;
    /** The whole body, sent as it is when it is a string, else as JSON; `null` sends none. */
    readonly body?: unknown;
    readonly headers?: Headers;
    readonly query?: Readonly<Record<string, string>>;
    readonly contentType?: string;
    /** Redirects within the origin are followed by controls, not by attacks. */
    readonly followRedirects?: boolean;
    /** 429 is the answer that is looked for: it is not waited out. */
    readonly expectsLimit?: boolean;
}
/** A calling token that the mint issued for one user. */
export interface MintedToken {
    readonly jwt: string;
    readonly userId: string;
    /** Where in the mint's body it was found. */
    readonly at: string;
    readonly read: ReadToken | null;
    readonly lifetime: Lifetime;
    readonly askedSeconds: number | null;
    /** Monotonic milliseconds: when the request left, when the answer was whole. */
    readonly sentAt: number;
    readonly receivedAt: number;
    readonly exchange: string;
}
/** What the service was seen to do where the specification is silent. */
export interface TokenFacts {
    readonly at: string;
    readonly format: 'JWS' | 'JWE' | 'opaque';
    readonly algorithm: string | null;
    /** The paths of the claims that hold exactly the userId, for two users alike; empty where there is none. */
    readonly userIdPaths: readonly string[];
}
export interface Mint {
    /** The whole address of the endpoint. */
    readonly endpoint: string;
    readonly apiKey: string;
    readonly minTtlSeconds: number;
    request(change?: MintRequest): Promise<Reply>;
    /** Mints for the user; throws `ControlLost` when the service does not. */
    token(userId: string, asked?: {
        readonly ttlSeconds?: number;
    }): Promise<MintedToken>;
    /** Where the answer holds the token. */
    locate(answer: Answer): Located;
    /** The token in an answer that should hold none; what the request itself carried is only an echo. */
    issuedBy(reply: Reply): string | null;
    facts(): Promise<TokenFacts>;
    /** The paths of a token's claims that hold exactly this userId (`token.userIdClaim`, or found). */
    pathsHolding(token: ReadToken, userId: string): string[];
}
export interface MintOptions {
    readonly mint: MintConfiguration;
    readonly token: TokenConfiguration;
    readonly http: HttpClient;
    readonly redactor: Redactor;
    readonly clock: Clock;
    readonly newUser: () => string;
    /** Without one there is no limit. */
    readonly budget?: MintBudget;
}
/** The mint as the suite drives it: a server that holds the API key. */
export declare function createMint({ mint, token: { field, userIdClaim }, http, redactor, clock, newUser, budget, }: MintOptions): Mint;
/**
 * A token anywhere in the answer, its header included, that the request did not carry itself. Cookies do not count:
 * gateways give anonymous visitors sessions that are JWTs, too, refused ones as well.
 */
export declare function issuedToken(answer: Answer): string | null;
