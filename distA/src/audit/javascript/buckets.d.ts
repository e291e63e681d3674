import type { Pattern } from '../scan/kernel/marker.ts';
/** Puts together what lets few other texts pass, the widest first. @returns the bucket of each pattern */
export declare function bucketsFor(patterns: readonly Pattern['classes'][]): number[];
