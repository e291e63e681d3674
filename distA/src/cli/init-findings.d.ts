/** What a folder and this machine tell about an implementation, before anybody is asked. */
export interface Findings {
    /** Names of variables in `.env` files; their values are never looked at. */
    readonly variables: readonly string[];
    readonly composeFile: string | null;
    /** Addresses that an OpenAPI description gives, with the file that says so. */
    readonly mintUrl: Suggestion | null;
    readonly backendUrl: Suggestion | null;
    /** Ports of this machine on which somebody listens, of those that are common in development. */
    readonly ports: readonly number[];
}
interface Suggestion {
    readonly url: string;
    readonly from: string;
}
export declare function findingsIn(directory: string): Promise<Findings>;
export {};
