import type { ScriptedMint } from '../../src/doubles/mint.ts';
import type { Common } from '../../src/parts/parts.ts';
/** Seconds: what a backend keeps of it is soon of no use, so that no later check is answered from a cache. */
export declare const shortLifetime = 3;
/** Where the mint double is there, it makes short-lived tokens while this runs, and has the backend to itself. */
export declare function shortLived<T>({ available }: Pick<Common, 'available'>, run: (double: ScriptedMint | null) => Promise<T>): Promise<T>;
