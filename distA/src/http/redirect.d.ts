import type { HttpRequest } from './client.ts';
import { type Headers } from './headers.ts';
/** The request that a redirect within the origin asks for; `null` where there is none, or it leads elsewhere. */
export declare function redirectOf(sent: HttpRequest, answer: {
    readonly status: number;
    readonly headers: Headers;
}): HttpRequest | null;
