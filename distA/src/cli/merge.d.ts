import type { Output } from './output.ts';
export interface MergeOptions {
    /** Result files, or folders that hold one or are full of folders that do. */
    readonly paths: readonly string[];
    readonly out?: string;
    readonly strict: boolean;
    readonly json: boolean;
}
/**
 * `twotoken merge`: the shards of a run as one result, with the exit code that the whole run would have had.
 * @throws TwotokenError `usage` for parts that are missing, unreadable or of different runs; `unwritable`
 */
export declare function merge({ paths, out, strict, json }: MergeOptions, { stdout, stderr, directory, color }: Output & {
    readonly directory: string;
    readonly color: boolean;
}): Promise<number>;
