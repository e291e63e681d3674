import type { SignalingProfile } from '../configuration/configuration.ts';
import type { OpenOptions } from '../parts/client.ts';
import { type ServingBackend } from './backend-double.ts';
import { type Ground, type GroundOptions } from './ground.ts';
import type { Counterpart } from './proxy.ts';
import { type ServingSignaling } from './signaling-double.ts';
import { type Web } from './web.ts';
/** Everything around one opened client: the doubles, the rest of the web, and what each of them saw. */
export interface World extends Ground {
    readonly backend: ServingBackend;
    readonly signaling: ServingSignaling;
    readonly web: Web;
    readonly counterpart: Counterpart;
    /** What signaling speaks. */
    readonly profile: SignalingProfile;
    /** Ends what goes on and records it. */
    end(): void;
}
export interface WorldOptions extends GroundOptions {
    readonly profile: SignalingProfile | null;
    readonly open: OpenOptions;
    /** The client can see with which status an upgrade was refused. */
    readonly seesStatus: boolean;
}
export declare function createWorld(options: WorldOptions): World;
