import type { BrowserContext } from '@playwright/test';
import { type Counterpart } from './proxy.ts';
/** One browser for everything that a process judges; started when the first page is opened. */
export interface BrowserSource extends AsyncDisposable {
    /** A context of its own whose whole traffic goes to the counterpart. Throws `Untested` where there is no browser. */
    context(counterpart: Counterpart): Promise<OpenContext>;
}
export interface OpenContext extends AsyncDisposable {
    readonly context: BrowserContext;
    /** Which browser it is, for the reader. */
    readonly browser: string;
}
export interface BrowserChoice {
    /** The user's own setting: an absolute path. Nothing else is tried then. */
    readonly path?: string;
}
export declare function createBrowserSource(choice: BrowserChoice): BrowserSource;
