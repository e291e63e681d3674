import { type RunResults } from './results.ts';
/**
 * Reads a `results.json`.
 * @throws TwotokenError `usage` where it is missing, no JSON, or of another shape
 */
export declare function readResults(file: string): Promise<RunResults>;
/** The same of a text; `file` is the name that an error gives it. */
export declare function parseResults(text: string, file: string): RunResults;
