import type { Page } from '@playwright/test';
import type { World } from './world.ts';
/**
 * Follows what a page sends and hears. What is returned waits until page and doubles know of each other what each has
 * begun, sent and closed, so that a clock can go on without running ahead of the network.
 */
export declare function followNetwork(page: Page, world: World): Promise<() => Promise<void>>;
