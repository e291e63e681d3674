import { type StringTable } from '../scan/scan.ts';
import type { Audit } from '../settings.ts';
interface Database {
    readonly location: string;
    readonly bytes: Buffer;
}
/** The texts of all rows that lie on one page. */
export declare function readSqlite(bytes: Buffer): StringTable;
/**
 * A row that is too long for its page goes on in others, wherever they are: such rows are put together and audited as
 * one. All other bytes are read as they are.
 */
export declare function auditSqlite(audit: Audit, { location, bytes }: Database): void;
export {};
