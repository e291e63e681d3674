import type { Clock } from '../clock/clock.ts';
import type { SignalingProfile } from '../configuration/configuration.ts';
import { type Connection } from './connection.ts';
import type { Offer } from './offer.ts';
export interface Decision {
    readonly isAccepted: boolean;
    /** The profile names the sign that decided. */
    readonly named: boolean;
    /** Some event matched the profile's `unauthorized`. */
    readonly unauthorized: boolean;
    readonly summary: string;
    /** Nothing of the attempt reached the service. */
    readonly unreachable: boolean;
    /** When the sign that decided came, in monotonic milliseconds; not when it was settled. */
    readonly decidedAt: number;
}
export interface Terms {
    readonly profile: SignalingProfile;
    readonly clock: Clock;
    /** Without a sign of success by then the attempt is refused, however the connection stands. */
    readonly deadlineMs: number;
}
/**
 * Says the offer's messages when their time has come and looks at the events in order, until one decides; an
 * event that shows both failure and success shows failure. A success is watched for `settleMs` more; a refusal for as long, where what reports it as unauthorized has not come yet.
 */
export declare function decide(connection: Connection, offer: Offer, terms: Terms): Promise<Decision>;
