import type { AuditSettings } from '../create-audit.ts';
/** What became of one canary. */
export interface SelfTestCell {
    readonly format: string;
    readonly slot: string;
    readonly encoding: string;
    /** The kinds of containers around the file, outermost first; empty for a file of its own. */
    readonly container: readonly string[];
    /** The file that it was planted into. */
    readonly location: string;
    readonly status: 'found' | 'missed' | 'unplanted';
    /** Of its finding. */
    readonly rule?: string;
    readonly decoder?: string;
    readonly reason?: string;
}
export interface SelfTest {
    readonly cells: readonly SelfTestCell[];
}
/**
 * Plants canaries into copies of files in memory, audits the copies with the same settings, and says which were found. Nothing is written.
 * @throws TwotokenError `usage` for a path that does not exist
 */
export declare function selfTest(paths: readonly string[], directory: string, settings?: AuditSettings, nextCanary?: (length?: number) => import("./canary.ts").Canary): Promise<SelfTest>;
