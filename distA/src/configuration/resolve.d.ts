import type { CommandSurroundings } from './command.ts';
import type { Configuration } from './configuration.ts';
import { type Origin } from './problem.ts';
/** Where a configuration is at home: `directory` is absolute, `environment` answers `${NAME}`. */
export type Surroundings = CommandSurroundings;
/**
 * Puts the environment and the credentials into a configuration as it was written, and makes its paths absolute.
 * @throws TwotokenError `configuration` with every problem, or `credential` where only credentials are the problem
 */
export declare function resolveFrom(written: unknown, origin: Origin, surroundings: Surroundings): Promise<Configuration>;
