import type { Clock } from '../../src/clock/clock.ts';
import type { UserSession } from '../../src/configuration/configuration.ts';
import type { FetchedToken } from '../../src/parts/backend.ts';
import type { PartsOf } from '../../src/parts/parts.ts';
/**
 * A token with some of its life left. A backend may keep one until it expires, and signaling may then refuse it for
 * its age alone: such a one is let go, and another fetched. A token that has ended already is the backend's mistake.
 */
export declare function lastingToken({ backend, clock }: Pick<PartsOf<'backend'>, 'backend' | 'clock'>, session: UserSession): Promise<FetchedToken>;
/** Until the token ends; endless where that cannot be read. */
export declare function leftMs(jwt: string, clock: Clock): number;
