import { type Forgery, type Original } from './forge.ts';
/** The token with no signature to speak of, in every way that a service has been known to fall for. */
export declare function unsigned({ header, payload, signature, userId }: Original): Forgery[];
/** A token signed by HMAC with any bytes as the key, none included; `alg` says which of HS256, HS384 and HS512. */
export declare function hmacSigned(header: Readonly<Record<string, unknown>> & {
    readonly alg: string;
}, payload: Uint8Array, key: Uint8Array | string): string;
