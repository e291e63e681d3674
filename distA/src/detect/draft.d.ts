import type { MessageSign } from '../configuration/configuration.ts';
import type { Offer } from '../signaling/offer.ts';
/** Places for a credential, from the one where it leaks least to the one where every log keeps it. */
export declare const places: readonly ['message', 'header', 'subprotocol', 'cookie', 'query'];
export type Place = (typeof places)[number];
/**
 * One thing that a client says in order to join. Templates hold `{jwt}`, `{userId}`, or fixed text; a field stands in
 * a JSON message at its path, a text is a message of its own, hellos are the fields of a message that follows the token.
 */
export type Piece = {
    readonly in: 'header';
    readonly name: string;
    readonly template: string;
} | {
    readonly in: 'subprotocol';
    readonly template: string;
} | {
    readonly in: 'cookie';
    readonly name: string;
    readonly template: string;
} | {
    readonly in: 'query';
    readonly name: string;
    readonly template: string;
} | {
    readonly in: 'field';
    readonly path: readonly string[];
    readonly template: string;
} | {
    readonly in: 'text';
    readonly template: string;
} | {
    readonly in: 'hello';
    readonly path: readonly string[];
    readonly template: string;
};
/** A guess at how a service wants to be joined: usually far more than it needs, until it is cut down. */
export interface Draft {
    readonly place: Place;
    readonly pieces: readonly Piece[];
    readonly after: 'open' | MessageSign;
}
export interface Credential {
    readonly jwt: string | null;
    readonly userId: string;
}
export declare function holdsToken({ template }: Piece): boolean;
export declare function holdsUser({ template }: Piece): boolean;
/** What the draft sends; without a credential its pieces are left out, but a message has an empty one. */
export declare function offerOfDraft(url: string, { pieces, after }: Draft, { jwt, userId }: Credential, subprotocols: readonly string[]): Offer;
/** The template of the message that carries the token; null where none does. */
export declare function messageTemplate(pieces: readonly Piece[]): string | null;
/** The template of the message in which a client says who it is, after its token; null where it does not. */
export declare function helloTemplate(pieces: readonly Piece[]): string | null;
