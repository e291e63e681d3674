import type { Clock } from '../clock/clock.ts';
import type { Limits, SignalingConfiguration } from '../configuration/configuration.ts';
import type { Journal } from '../evidence/exchange.ts';
import type { Redactor } from '../evidence/redact.ts';
import { type Signaling } from '../signaling/attempt.ts';
export interface DriverSurroundings {
    readonly journal: Journal;
    readonly redactor: Redactor;
    readonly clock: Clock;
    /** Monotonic milliseconds. */
    readonly runStart: number;
    readonly limits: Limits;
    /** PEM. */
    readonly ca?: readonly string[];
}
/** Connects to signaling as its profile says, or through the user's adapter. */
export declare function signalingDriver(url: string, access: NonNullable<SignalingConfiguration['access']>, { limits, ca, ...shared }: DriverSurroundings): Signaling | Promise<Signaling>;
