import type { Audit } from '../settings.ts';
export interface ScriptText {
    readonly location: string;
    readonly format: string;
    readonly bytes: Buffer;
    /** Where the script begins in its file. */
    readonly base: number;
    /** Where the lines of the file begin to count, for a script that is a part of it. */
    readonly file?: Buffer;
    /** Whether the file is a script for certain, so that it has to parse. */
    readonly isCertain?: boolean;
    /** How many scripts it is a string of. */
    readonly depth?: number;
}
/** Folds the constants of a script, and of the scripts that are among them and worth it. */
export declare function foldScript(audit: Audit, script: ScriptText): void;
