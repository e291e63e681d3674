import type { BrowserContext, Page } from '@playwright/test';
import type { Redactor } from '../evidence/redact.ts';
/** Traces and screenshots of the pages that a check has opened, until it is known whether anybody wants to see them. */
export interface Evidence extends AsyncDisposable {
    /** Called when a context is opened; the result when its page is about to close. */
    follow(checkId: string, context: BrowserContext): Promise<(page: Page) => Promise<void>>;
    /** Writes what there is of a check, redacted, or forgets it. Returns the names of the files, and what was left out. */
    settle(checkId: string, isWanted: boolean): Promise<string[]>;
}
/** `folder` is made when there is something to write. */
export declare function createEvidence(folder: string, redactor: Redactor): Promise<Evidence>;
