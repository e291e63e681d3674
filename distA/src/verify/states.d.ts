import type { Configuration } from '../configuration/configuration.ts';
import type { ScriptedMint } from '../doubles/mint.ts';
import type { HttpClient } from '../http/client.ts';
import type { PactState } from './pact-file.ts';
export type StateValues = Readonly<Record<string, unknown>>;
/** What setting up a state came to. */
export type StateOutcome = {
    readonly kind: 'ready';
    readonly values: StateValues;
    readonly vouched: boolean;
    /** Asked after the interaction: why the state turned out to have had no bearing on it, or `null`. */
    readonly unmet?: () => string | null;
}
/** Nobody here can set it up. */
 | {
    readonly kind: 'impossible';
    readonly reason: string;
}
/** Whoever should have set it up broke down. */
 | {
    readonly kind: 'broken';
    readonly reason: string;
};
/** Sets up one provider state, or takes it down again. */
export type StateHandler = (state: PactState, action: 'setup' | 'teardown') => Promise<StateOutcome>;
/** The states of the committed contracts, out of the keys and sessions that the configuration holds. */
export declare function configuredStates({ mint, backend }: Configuration, double: ScriptedMint | undefined): StateHandler;
/** States that are set up by a POST of `{ action, state, params }`; what the endpoint answers are the values. */
export declare function endpointStates(url: string, http: HttpClient): StateHandler;
/** States that a command sets up: it reads `{ action, state, params }` and may print a JSON object of values. */
export declare function commandStates(command: string, directory: string): StateHandler;
/** Asks the operator's own handler first, where there is one, and fills up from the configuration what it leaves open. */
export declare function eitherStates(own: StateHandler | undefined, configured: StateHandler): StateHandler;
