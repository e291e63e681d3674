import type { Party } from '../evidence/exchange.ts';
import type { HttpClient, Reply } from '../http/client.ts';
import type { Interaction } from './interaction.ts';
import type { Provider } from './provider.ts';
import type { StateHandler, StateOutcome } from './states.ts';
/** Marks a request with its interaction on the way to the relay, which takes the mark off. */
export declare const markHeader = "x-twotoken-interaction";
export declare const markParameter = "twotoken:interaction";
/** What happened on the wire for one interaction. */
export interface Seen {
    readonly states: StateOutcome[];
    readonly replies: Reply[];
}
export interface Relay extends AsyncDisposable {
    readonly port: number;
    readonly stateUrl: string;
    seen(interaction: Interaction): Seen;
}
export interface RelayOptions {
    readonly to: Party;
    readonly http: HttpClient;
    readonly handleState: StateHandler;
    readonly interactions: readonly Interaction[];
    readonly provider: Pick<Provider, 'target' | 'methodFor'>;
}
/**
 * Stands between the Pact core and the provider: passes every request on with its bytes unchanged, sets up the
 * provider states, and remembers both, so that a result that rests on no exchange is noticed.
 */
export declare function startRelay({ to, http, handleState, interactions, provider, }: RelayOptions): Promise<Relay>;
