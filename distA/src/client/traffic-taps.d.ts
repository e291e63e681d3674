import type { Tap } from '../parts/client.ts';
import type { World } from './world.ts';
/** Everything that the client sent and loaded, sorted into places. */
export declare function trafficTaps(world: World): Tap[];
