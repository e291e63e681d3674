import { type Judge } from '../../src/check/judge.ts';
import type { Client, ClientApp, Dial, SignalingReaction } from '../../src/parts/client.ts';
import type { PartsOf } from '../../src/parts/parts.ts';
export type Parts = PartsOf<'client' | 'signalingDouble'>;
/** A page's clock is run ahead, so that the pauses between its attempts cost no time. */
export declare function openAhead(client: Client): Promise<ClientApp>;
/** A moment, as numbers of what the client had done by then. */
export interface Stand {
    readonly calls: number;
    readonly dials: number;
}
export declare function standOf({ backend, signaling }: ClientApp): Stand;
/** From this moment on, dials are treated so until the client asks its backend again. */
export declare function untilAsked(app: ClientApp, since: Stand, reaction: () => SignalingReaction): void;
/** Signs in and connects; the first dial is refused, and so is every other one until the backend is asked again. */
export declare function refusedAtConnect(app: ClientApp): Promise<Stand>;
/**
 * The client asks its backend again and dials with what it gets; `when` completes "when it is …". Without the new dial
 * it is accused only where it was seen to have stopped, or to go on with what it had for very long.
 */
export declare function judgeRenewal(app: ClientApp, since: Stand, when: string, { configuration, clock }: Parts, judge: Judge): Promise<boolean>;
/** Dials since then with a calling JWT that was dialled with before. */
export declare function staleDials(app: ClientApp, since: Stand): readonly Dial[];
