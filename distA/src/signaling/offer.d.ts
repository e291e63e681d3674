import type { MessageSign, SignalingProfile } from '../configuration/configuration.ts';
import type { Headers } from '../http/headers.ts';
import type { AttemptRequest } from './attempt.ts';
/** What a client sends in order to join: the upgrade request and the messages that follow it. */
export interface Offer {
    readonly url: string;
    readonly headers: Headers;
    readonly protocols: readonly string[];
    /** Sent one after the other once `after` has happened. */
    readonly messages: readonly string[];
    readonly after: 'open' | MessageSign;
}
export interface Untestable {
    /** Why the offer cannot be made, as a clause without any secret. */
    readonly untestable: string;
}
interface Values {
    readonly jwt: string;
    readonly userId: string;
}
/**
 * Puts the credential and the declared userId where the profile says. Without a credential what holds `{jwt}` is left
 * out, except a message, whose token is then empty; without a userId its own element is left out.
 */
export declare function offerOf(url: string, profile: SignalingProfile, request: AttemptRequest): Offer | Untestable;
/** Where the template is JSON, what is put in is escaped for the string that it stands in. */
export declare function filledMessage(template: string, values: Values): string;
export {};
