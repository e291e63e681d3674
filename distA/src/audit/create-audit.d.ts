import { type TokenModel } from './jwt.ts';
import { type Progress } from './progress.ts';
import { type Audit, type Limits, type Spent } from './settings.ts';
export interface AuditSettings {
    /** Host, or host:port. */
    readonly mintHost?: string;
    /** What tokens of the mint look like: what resembles one is a calling JWT. */
    readonly like?: readonly TokenModel[];
    readonly prefix?: string;
    /** Characters that a key has after its prefix at least. */
    readonly leastSuffix?: number;
    readonly limits?: Partial<Limits>;
    readonly nowSeconds?: () => number;
    /** Told what is read next, inside containers too, and how many bytes were read before. */
    readonly onProgress?: Progress;
}
export declare const nothingSpent: Spent;
export declare function createAudit(settings: AuditSettings): Audit;
