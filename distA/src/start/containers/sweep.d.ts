import type { Engine } from './engine.ts';
/**
 * Removes what a twotoken that was killed has left: containers first, since they hold networks and volumes.
 * @returns how many things were removed
 */
export declare function sweep({ docker }: Engine): Promise<number>;
