import type { PactFile } from '../verify/pact-file.ts';
import type { Shape } from '../verify/provider.ts';
/** The contracts that are part of the package: from the sources, or from `dist`. */
export declare const ownPacts: string;
/** Of the contracts that differ in the mint's body shape alone, the one of the shape that was seen. */
export declare function inShape(pacts: readonly PactFile[], shape: Shape): readonly PactFile[];
