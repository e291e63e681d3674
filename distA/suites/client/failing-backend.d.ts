import { type Judge } from '../../src/check/judge.ts';
import type { BackendAnswer, BackendScript, Client, ClientApp } from '../../src/parts/client.ts';
import type { PartsOf } from '../../src/parts/parts.ts';
export type Parts = PartsOf<'client' | 'signalingDouble'>;
/** What its backend answers; the name completes "when the backend …". */
export interface Failing {
    readonly name: string;
    readonly script: BackendScript;
    /** A client that is misled by this is careless, not broken. */
    readonly isAdvice?: true;
    /** What else is to be judged of the client afterwards. */
    readonly afterwards?: (app: ClientApp) => void;
}
export declare function answering(name: string, answer: BackendAnswer): Failing;
/**
 * Lets the backend fail in each of these ways, and then not at all: a client that does not connect even then says
 * nothing by not connecting. One client is asked again and again where that can be done, else a new one is opened.
 */
export declare function failsOnEach(failings: readonly Failing[], parts: Parts, judge: Judge): Promise<void>;
/** Opens the client under a backend that gives no token, and asks it to connect. */
export declare function connecting(client: Client, script: BackendScript, { drivenClock }: {
    readonly drivenClock: boolean;
}): Promise<ClientApp>;
/** No dial carries what is no token; the name completes "when the backend …". */
export declare function judgeDials(app: ClientApp, name: string, configuration: Parts['configuration'], hold: Judge['must']): boolean;
