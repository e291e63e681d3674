import type { Verdict } from '../check/verdict.ts';
import type { RunResults } from '../reports/results.ts';
import { type VerifyEnvironment, type VerifyOptions } from './verify.ts';
export interface Verified {
    readonly exitCode: number;
    readonly results: RunResults | null;
    /** Verdicts by interaction. */
    readonly verdicts: Readonly<Record<string, Verdict>>;
    readonly junit: string;
    /** The sentence of a command that judged nothing. */
    readonly sentence: string;
    readonly stdout: string;
    readonly stderr: string;
}
type Given = Partial<VerifyOptions> & Pick<VerifyOptions, 'role'>;
/** Runs `twotoken verify` in a folder of its own, as the command line would; a configuration is written to a file. */
export declare function verified(options: Given, written?: Readonly<Record<string, unknown>>, environment?: Pick<VerifyEnvironment, 'core'>): Promise<Verified>;
export {};
