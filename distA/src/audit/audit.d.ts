import { type AuditSettings } from './create-audit.ts';
import type { AuditResult } from './finding.ts';
/**
 * Audits files and folders. Nothing is written and nothing is executed.
 * @throws TwotokenError `usage` for a path that does not exist
 */
export declare function auditPaths(paths: readonly string[], directory: string, settings?: AuditSettings): Promise<AuditResult>;
/** Audits one file that is in memory, as `auditPaths` would audit it on disk. */
export declare function auditInMemory({ location, name, bytes }: {
    readonly location: string;
    readonly name: string;
    readonly bytes: Buffer;
}, settings?: AuditSettings): Promise<AuditResult>;
