import type { Clock } from '../../src/clock/clock.ts';
import type { ClientApp } from '../../src/parts/client.ts';
/** Signs a user in and tells whether the app then connects without being asked to. */
export declare function signsInAndConnects(app: ClientApp, clock: Clock): Promise<boolean>;
/** Signs a user in and leaves them unconnected; `byItself` is what the app was seen to do. */
export declare function signsInUnconnected(app: ClientApp, byItself: boolean): Promise<void>;
