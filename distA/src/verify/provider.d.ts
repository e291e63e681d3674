import type { Configuration } from '../configuration/configuration.ts';
import type { MintShape } from '../doubles/mint-shape.ts';
import type { HttpClient } from '../http/client.ts';
import type { Interaction } from './interaction.ts';
/** What has been found out of the provider before anything is verified. */
export interface Provider {
    /** The body shape in which a mint was seen to carry the token. */
    readonly shape: Shape;
    /** The address at the provider of a path and query in a pact. */
    target(pathAndQuery: string): string;
    /** The method in use where a committed contract states one only as an example. */
    methodFor(interaction: Interaction): string;
    /** Why an interaction is not verified, or `null`. */
    doesNotApply(interaction: Interaction): string | null;
    readonly asideAs: 'not-applicable' | 'untested';
}
/** `unknown` where no token was seen; `elsewhere` where it stands at none of the places that the contracts know. */
export type Shape = Exclude<MintShape, 'both'> | 'unknown' | {
    readonly elsewhere: string;
};
/**
 * Asks the provider once.
 * @throws TwotokenError `precondition` where nobody answers at its address
 */
export declare function reach(role: 'mint' | 'backend', configuration: Configuration, http: HttpClient): Promise<Provider>;
