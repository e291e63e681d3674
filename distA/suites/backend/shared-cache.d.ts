import type { Answer } from '../../src/http/client.ts';
/**
 * What a shared cache (RFC 9111) may do with the answer to one user's GET when another user sends the same: hand it out
 * as it is, ask the origin whether it still holds (with its validators), or nothing. Where the RFC lets a cache choose,
 * this one chooses what real ones do: without an explicit lifetime it keeps what is marked public or has a date.
 */
export type Reuse = {
    readonly kind: 'none';
} | {
    readonly kind: 'hands-out';
    readonly because: string;
} | {
    readonly kind: 'validates';
    readonly validators: readonly (readonly [name: string, value: string])[];
};
/** Cache-Control binds every cache; CDN-Cache-Control (RFC 9213) takes its place at those that know it. */
export declare const controls: readonly ['cache-control', 'cdn-cache-control'];
export declare function reuseByOthers(answer: Answer, control: (typeof controls)[number]): Reuse;
