import type { BrowserContext } from '@playwright/test';
import type { Tap } from '../parts/client.ts';
import type { World } from './world.ts';
/**
 * Follows a context from its beginning; what is returned collects everything that its pages hold, say and run. The
 * sources of workers made from blobs are noted when the blob gets its address, since they may be gone soon after.
 */
export declare function tapPage(context: BrowserContext, world: World): Promise<() => Promise<Tap[]>>;
