import type { BackendConfiguration, UserSession } from '../configuration/configuration.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { Answer, HttpClient, Reply } from '../http/client.ts';
import type { Headers } from '../http/headers.ts';
import type { Turns } from './turns.ts';
/** What to change about a well-formed call of the customer's token route. */
export interface BackendRequest {
    /** The bearer session; `null` leaves the Authorization header out. By default alice's. */
    readonly session?: string | null;
    /** The whole Authorization header instead of `Bearer` and the session. */
    readonly authorization?: string;
    readonly method?: string;
    readonly headers?: Headers;
    readonly query?: Readonly<Record<string, string>>;
    /** Sent as it is, with the content type; by default none. */
    readonly body?: {
        readonly text: string;
        readonly contentType: string;
    };
    /** Appended to the route's path, with its own slash. */
    readonly pathSuffix?: string;
    readonly deadlineMs?: number;
    readonly followRedirects?: boolean;
}
/** The customer's token route as the app sees it. */
export interface Backend {
    readonly url: string;
    readonly method: 'POST' | 'GET';
    /** The user that every backend must be given. */
    readonly alice: UserSession;
    request(change?: BackendRequest): Promise<Reply>;
    /** The token that the app would read: a string at `token` of a 2xx JSON object; `null` where it would fail. */
    tokenOf(reply: Reply): string | null;
    /** Fetches a token as the app does; throws `ControlLost` when the backend gives none. */
    token(session?: UserSession): Promise<FetchedToken>;
    /** A calling token anywhere in an answer that should hold none, other than what the request carried. */
    issuedBy(reply: Reply): string | null;
}
export interface FetchedToken {
    readonly jwt: string;
    readonly userId: string;
    readonly answer: Answer;
    readonly exchange: string;
}
export interface BackendOptions {
    readonly backend: BackendConfiguration;
    readonly alice: UserSession;
    readonly http: HttpClient;
    readonly redactor: Redactor;
    readonly turns: Turns;
    /** Called with every success: a real mint has issued a token for it. */
    readonly onSuccess: () => void;
}
export declare function createBackend({ backend, alice, http, redactor, turns, onSuccess }: BackendOptions): Backend;
