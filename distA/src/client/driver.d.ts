import type { Page } from '@playwright/test';
import type { ClientState } from '../parts/client.ts';
/** The user's module that operates the page; see `docs/client.md`. */
export interface Driver {
    signIn(page: Page, user: DriverUser): Promise<unknown>;
    connect(page: Page): Promise<unknown>;
    signOut(page: Page): Promise<unknown>;
    disconnect?(page: Page): Promise<unknown>;
    configure?(page: Page, patch: Readonly<Record<string, unknown>>): Promise<unknown>;
    state?(page: Page): Promise<unknown>;
    open?(page: Page): Promise<unknown>;
}
export interface DriverUser {
    readonly name: string;
    readonly [key: string]: unknown;
}
/**
 * Loads the driver.
 * @throws TwotokenError `configuration` where there is no such module, it breaks while it loads, or lacks a function
 */
export declare function loadDriver(file: string): Promise<Driver>;
/** Throws where what a client says of itself is no state. */
export declare function stateOf(said: unknown): ClientState;
