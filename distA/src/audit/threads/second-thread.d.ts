import type { AuditSettings } from '../create-audit.ts';
import type { Finding, Gap } from '../finding.ts';
import type { FileOnDisk } from '../walk.ts';
/** What the second thread is told. */
export interface SecondTask {
    readonly files: readonly FileOnDisk[];
    readonly claims: Int32Array<SharedArrayBuffer>;
    readonly settings: AuditSettings;
}
/** What it has found in the files that it has read. */
export interface SecondFound {
    readonly findings: readonly Finding[];
    readonly gaps: readonly Gap[];
    readonly entries: number;
    readonly bytes: number;
}
export interface SecondThread extends AsyncDisposable {
    /** `null` where it ended without an answer. */
    found(): Promise<SecondFound | null>;
}
export declare function startSecondThread(task: SecondTask): SecondThread;
