import { type Clue } from './clues.ts';
/** Finds the clues of which a script holds a sign; `null` where the platform has no SIMD, or a clue no marks. */
export declare function createClueMarker(clues: readonly Clue[]): ((script: Buffer) => ReadonlySet<Clue>) | null;
