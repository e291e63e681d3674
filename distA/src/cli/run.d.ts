import type { RunEnvironment, RunOptions } from './run-options.ts';
/** `twotoken run`: judges what the configuration describes, or the embedded reference. Returns the exit code. */
export declare function run(options: RunOptions, environment: RunEnvironment): Promise<number>;
