import type { BrowserContext, Page } from '@playwright/test';
import type { OpenOptions } from '../parts/client.ts';
import type { Actor } from './actor.ts';
import type { OpenContext } from './browser.ts';
import { type Driver } from './driver.ts';
import type { World } from './world.ts';
export interface PageOptions {
    readonly world: World;
    readonly opened: OpenContext;
    readonly driver: Driver;
    readonly url: string;
    readonly open: OpenOptions;
    /** Begins to keep what can be seen; the result ends it. */
    readonly follow: (context: BrowserContext) => Promise<(page: Page) => Promise<void>>;
}
/**
 * Opens the page under test in its context.
 * @throws ControlLost where it does not load
 */
export declare function openPage({ world, opened, driver, url, open, follow }: PageOptions): Promise<Actor>;
