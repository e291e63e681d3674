import { type Source } from './containers/source.ts';
import type { Zip } from './containers/zip.ts';
import type { Audit, Sourced } from './settings.ts';
/** Audits an entry of a container. `false` where no more may be opened. */
export type AuditEntry = (audit: Audit, container: Sourced, name: string | Buffer, source: Source) => Promise<boolean>;
/** Audits every entry of an archive and all bytes between them. */
export declare function auditZip(audit: Audit, item: Sourced, zip: Zip, auditEntry: AuditEntry): Promise<void>;
