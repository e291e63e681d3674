import type { Configuration } from '../configuration/configuration.ts';
import type { Problem } from './problem.ts';
/** Credentials that are there but blank: a variable that was set to nothing, a command that printed a space. */
export declare function credentialProblems({ mint, backend }: Configuration, parts: readonly string[]): Problem[];
