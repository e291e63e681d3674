import type { Level } from '../check/verdict.ts';
import type { PactFile, PactInteraction, PactState } from './pact-file.ts';
/** One interaction to verify, with what its references to this project's requirements say. */
export interface Interaction {
    /** Its place in the verification: it marks the interaction's requests and results. */
    readonly number: number;
    readonly pact: PactFile;
    readonly source: PactInteraction;
    readonly id: string;
    readonly requirements: readonly string[];
    /** How binding the exact answer is where the provider refuses. */
    readonly level: Level;
    /** One of the committed contracts, in which nothing is pinned that the specification leaves open. */
    readonly own: boolean;
    readonly method: string;
    readonly status: number;
    readonly states: readonly PactState[];
    /** Values that its provider states have to give, because its request is made with them. */
    readonly injected: readonly string[];
}
export declare function interactionsOf(pacts: readonly PactFile[]): Interaction[];
