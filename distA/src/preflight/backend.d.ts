import type { BackendConfiguration } from '../configuration/configuration.ts';
import type { Probing } from './probing.ts';
import { type Problem } from './problem.ts';
/** One call of the token route with alice's session, and whether the address of the mint double is free. */
export declare function backendProblems(backend: BackendConfiguration, probing: Probing): Promise<Problem[]>;
