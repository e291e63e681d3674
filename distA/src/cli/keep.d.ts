import { TwotokenError } from '../errors.ts';
import { type Registered } from '../evidence/redact.ts';
import type { RunResults } from '../reports/results.ts';
/**
 * Makes the folder of the results, before anything is judged.
 * @throws TwotokenError `usage` when nothing can be written there
 */
export declare function assertWritable(folder: string): Promise<void>;
/**
 * The files of a run, by name, once a last look has found no secret in any of them.
 * @throws TwotokenError `secret-in-output`
 */
export declare function artefactsOf(results: RunResults, secrets: readonly Registered[], logs?: Readonly<Record<string, string>>): Record<string, string>;
/**
 * Writes every file that can be written, whole.
 * @returns what kept one from being written, for the user to read after what was judged; null when all are there
 */
export declare function keep(folder: string, artefacts: Record<string, string>): Promise<TwotokenError | null>;
