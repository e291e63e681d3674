/** A compact JWS, taken apart and decoded: what forgeries are made from. */
export interface Original {
    readonly header: Readonly<Record<string, unknown>>;
    readonly payload: Uint8Array;
    readonly signature: Uint8Array;
    /** Whom the token was made for. */
    readonly userId: string;
}
export interface Forgery {
    /** Completes "a token …": "with the algorithm none". */
    readonly name: string;
    readonly token: string;
    /** Whom it claims to be made for, which is what a client that uses it declares. */
    readonly userId: string;
}
/** The JWS as it came, taken apart; null where the token is a JWE, or none at all. */
export declare function takenApart(token: string, userId: string): Original | null;
/**
 * A JWS with the header and claims that services use most, for services whose tokens cannot be read. Its signature
 * is blank. `now` is in seconds since 1970.
 */
export declare function madeUp(userId: string, now: number): Original;
export declare function signingInput(header: Readonly<Record<string, unknown>>, payload: Uint8Array): string;
/** Header, payload and signature as one token. */
export declare function compact(header: Readonly<Record<string, unknown>>, payload: Uint8Array, signature: Uint8Array): string;
/** The claims; empty where the payload is no JSON object. */
export declare function claimsOf({ payload }: Original): Readonly<Record<string, unknown>>;
/** The bytes with the lowest bit of one flipped: always other bytes, unlike a changed last letter of base64url. */
export declare function flipped(bytes: Uint8Array, index: number): Uint8Array;
/**
 * The payload with one byte flipped so that it still reads as claims for the same user that have not expired: what a
 * service takes that decodes and does not verify. Null where no byte can be spared.
 */
export declare function flippedReadably(original: Original): Uint8Array | null;
/** The claims with another user wherever the first one stands, alone or inside a longer text. */
export declare function forUser(claims: unknown, from: string, to: string): unknown;
export declare function encodedJson(value: unknown): Uint8Array;
export declare function base64url(bytes: Uint8Array | string): string;
