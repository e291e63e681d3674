import type { Audit, Item, Sourced } from './settings.ts';
/** Audits one file or entry that is in memory: what it contains, where it is a container, and its own bytes otherwise. */
export declare function auditBytes(audit: Audit, { bytes, ...item }: Item): Promise<void>;
/** The same, wherever the bytes are. A container is opened where it is; only what it holds is read into memory. */
export declare function auditSource(audit: Audit, item: Sourced): Promise<void>;
