import type { Audit } from './settings.ts';
/** Remembers what was audited, so that the same bytes under the same name are read once and reported everywhere. */
export interface Repeats {
    /** Audits bytes unless they are known: then what was found is reported in this location as well. */
    once(audit: Audit, item: {
        readonly location: string;
        readonly name: string;
        readonly bytes: Buffer;
    }, read: () => Promise<boolean>): Promise<boolean>;
}
export declare function createRepeats(): Repeats;
