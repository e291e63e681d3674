import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SignalingProfile } from '../configuration/configuration.ts';
import type { SignalingDouble } from '../parts/client.ts';
import type { Ground } from './ground.ts';
import type { Speech } from './speech.ts';
export interface ServingSignaling extends SignalingDouble {
    serve(url: URL, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
    /** Every dial as its line stands. */
    wires(): readonly Wire[];
    /** Cuts what is open and records it. */
    end(): void;
}
/** How far the two ends of a dial can know of each other. */
export interface Wire {
    /** The `Sec-WebSocket-Key` of its upgrade. */
    readonly key: string | null;
    /** Frames that the double has sent. */
    readonly framesSaid: number;
    readonly isOver: boolean;
}
export declare function createSignalingDouble(ground: Ground, profile: SignalingProfile, speech: Speech): ServingSignaling;
