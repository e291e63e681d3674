import { TwotokenError } from '../errors.ts';
import { type KeyPath } from './path.ts';
/** One thing that is wrong with a configuration: the path, and the sentence that follows it. */
export interface Problem {
    readonly path: KeyPath;
    readonly sentence: string;
    readonly about: 'configuration' | 'credential';
}
/** Where a configuration was written. */
export interface Origin {
    /** The file as it was named; absent for a configuration that was made in memory. */
    readonly file?: string;
    /** The line of a key, or of the nearest mapping above it that the file holds. */
    lineOf(path: KeyPath): number;
}
/** All problems as one error: each on a line of its own that an editor can jump to. */
export declare function configurationError(problems: readonly Problem[], origin: Origin): TwotokenError;
