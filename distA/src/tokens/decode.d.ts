/** A compact JWS or JWE, read without verifying anything. */
export interface ReadToken {
    readonly format: 'JWS' | 'JWE';
    readonly header: Readonly<Record<string, unknown>>;
    /** The claims of a JWS whose payload is a JSON object; `null` where it cannot be read. */
    readonly claims: Readonly<Record<string, unknown>> | null;
}
/** Reads a compact serialisation (RFC 7515, RFC 7516); `null` where the string is none or its header is no JSON object. */
export declare function readToken(text: string): ReadToken | null;
export declare function isRecord(value: unknown): value is Record<string, unknown>;
/** Every distinct string in the text that reads as a JWS or JWE. */
export declare function tokensIn(text: string): string[];
