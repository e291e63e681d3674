import type { Role } from '../check/check.ts';
import { type Clock } from '../clock/clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Problem } from './problem.ts';
/**
 * Finds problems of the configuration and the network before anything is judged. What an implementation does wrong,
 * once it is reached, is none of them. A part that is not configured has no problem.
 * @throws TwotokenError `configuration` where `tls.ca` cannot be read
 */
export declare function preflight(configuration: Configuration, { parts: judged, clock }: {
    readonly parts: readonly Role[];
    readonly clock?: Clock;
}): Promise<Problem[]>;
