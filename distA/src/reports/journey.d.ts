import type { Exchange, HttpExchange, WebSocketExchange } from '../evidence/exchange.ts';
import { type Credential } from './credentials.ts';
/** One calling JWT's way, as far as it was seen. */
export interface Journey {
    readonly fingerprint: string;
    readonly minted?: HttpExchange;
    readonly fetched?: HttpExchange;
    readonly joined?: WebSocketExchange;
}
/** The way that is seen most wholly, and of those the first; null where no token was seen. */
export declare function bestJourney(exchanges: readonly Exchange[]): Journey | null;
export declare function accepted({ verdict }: WebSocketExchange): boolean;
/** What the sender of an exchange said, without what came back. */
export declare function textSent(exchange: Exchange): string;
/** A token is known as the calling JWT only once it has been read: until then, it is recorded as some JWT. */
export declare function isCallingJwt({ kind }: Credential): boolean;
