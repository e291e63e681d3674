import type { Configuration } from './configuration.ts';
import { type Surroundings } from './resolve.ts';
/**
 * Reads `twotoken.yaml`, puts the environment and the credentials in, and makes its paths absolute.
 * @throws TwotokenError `configuration` or `credential`, with every problem on a line of its own
 */
export declare function loadConfiguration(file: string, environment: NodeJS.ProcessEnv, options?: Pick<Surroundings, 'signal' | 'commandSeconds'>): Promise<Configuration>;
/**
 * Resolves a configuration that was made in memory, with the rules of the file.
 * @throws TwotokenError as `loadConfiguration`
 */
export declare function resolveConfiguration(written: unknown, surroundings: Surroundings): Promise<Configuration>;
