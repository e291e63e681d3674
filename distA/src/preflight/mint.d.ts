import type { MintConfiguration } from '../configuration/configuration.ts';
import type { Probing } from './probing.ts';
import { type Problem } from './problem.ts';
/** One ordinary mint request. A mint that answers, and be it wrongly, is left to the requirements. */
export declare function mintProblems(mint: MintConfiguration, probing: Probing): Promise<Problem[]>;
