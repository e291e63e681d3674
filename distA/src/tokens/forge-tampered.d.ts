import { type Forgery, type Original } from './forge.ts';
export interface Tampering {
    /** Another user, whose name a rewritten token bears. */
    readonly otherUser: string;
    /** Another token of the same service: parts of both are put together. */
    readonly other?: Original;
}
/** The token with something changed and the signature that it had. */
export declare function tampered(original: Original, { otherUser, other }: Tampering): Forgery[];
/** A JWE with one decoded byte of each of its parts flipped; what it holds cannot be read, and so not rewritten. */
export declare function tamperedParts(token: string, userId: string): Forgery[];
