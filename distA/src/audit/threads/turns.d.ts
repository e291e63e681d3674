import type { AuditSettings } from '../create-audit.ts';
import type { Audit } from '../settings.ts';
import type { FileOnDisk } from '../walk.ts';
/** The files that this thread has to read, while another one may read some of them. */
export interface Turns extends AsyncDisposable {
    /** Ends when all files are read; what the other thread has found is then part of the audit. */
    files(): AsyncGenerator<FileOnDisk>;
}
/**
 * Gives out files from the first to the last. Where they are many, a second thread takes small ones that are no archives
 * from the end of the list, so that memory does not double; what is reported is the same.
 */
export declare function createTurns(audit: Audit, files: readonly FileOnDisk[], settings: AuditSettings): Turns;
