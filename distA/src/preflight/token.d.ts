import type { TokenConfiguration } from '../configuration/configuration.ts';
import type { HttpClient } from '../http/client.ts';
import type { Problem } from './problem.ts';
/** Whether the key set can be read (only few cases need it), and the key that tokens are to be forged with. */
export declare function tokenProblems({ jwks, signWith }: TokenConfiguration, http: HttpClient): Promise<Problem[]>;
