import type { Audit, Item } from './settings.ts';
/** A file that contains no other: read by its format's table where it has one, and every byte of it in any case. */
export declare function auditFile(audit: Audit, { location, name, bytes }: Omit<Item, 'depth'>): Promise<void>;
