import type { Exchange } from '../evidence/exchange.ts';
import { type CredentialKind } from './credentials.ts';
/** The four who take part in the flow, whoever plays them, and whoever else an app talks to. */
export type Lane = 'app' | 'backend' | 'mint' | 'signaling' | 'elsewhere';
/** A credential that went where it does not belong (clauses 5.1 and 5.2). */
export interface Stray {
    readonly kind: CredentialKind;
    readonly from: Lane;
    readonly to: Lane;
    /** Such as "the header x-trace" or "a frame". */
    readonly place: string;
}
interface Place {
    readonly place: string;
    readonly text: string;
}
/** Who stands where in the drawing; null for what is no part of the flow. */
export declare function lanesOf({ from, to }: Pick<Exchange, 'from' | 'to'>): {
    from: Lane;
    to: Lane;
} | null;
/** The credentials that a part under test let go the wrong way in one exchange, as far as it shows. */
export declare function straysIn(exchange: Exchange): Stray[];
/** The texts of an exchange, by place: what was sent, and what came back. */
export declare function placesOf(exchange: Exchange): [sent: Place[], answered: Place[]];
export {};
