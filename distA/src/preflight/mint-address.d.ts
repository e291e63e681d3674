import type { MintConfiguration } from '../configuration/configuration.ts';
import type { Answer } from '../http/client.ts';
import type { Probing } from './probing.ts';
import type { Problem } from './problem.ts';
/**
 * Decides what a 404 at the mint's path means: a wrong `mint.url` (a problem), or a mint that is at the wrong path
 * below it (`null`: it is judged). Every probe goes without the key.
 */
export declare function misplacedMint(mint: MintConfiguration, answer: Answer, { configuration, http }: Probing): Promise<Problem | null>;
