import type { ClientConfiguration } from '../configuration/configuration.ts';
import type { Probing } from './probing.ts';
import { type Problem } from './problem.ts';
/** Whether the page answers and its driver can be loaded; a program or a device shows when it is asked. */
export declare function clientProblems({ url, driver }: ClientConfiguration, { http }: Pick<Probing, 'http'>): Promise<Problem[]>;
