import type { Signaling } from '../signaling/attempt.ts';
import type { Supply } from './supply.ts';
/** What became of the trials with which a found profile was tried. */
export interface Confirmation {
    readonly accepted: readonly string[];
    readonly refused: readonly string[];
    /** A token with a damaged signature was let in: nothing for a profile to say, but for the reader. */
    readonly letsDamagedIn: boolean;
}
/**
 * Tries the profile with the driver that judges by it: good tokens, garbage, a damaged token and none, in turn. A
 * profile that decides any of them wrongly is worth nothing.
 * @throws GivenUp
 */
export declare function confirmed(driver: Signaling, supply: Supply): Promise<Confirmation>;
