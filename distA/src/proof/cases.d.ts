import type { AnyCheck } from '../check/check.ts';
import { type Cell } from './prove.ts';
/** One run of some requirements against one variant; it fills some cells of the table. */
export interface ProofCase {
    readonly kind: Cell['kind'];
    readonly name: string;
    prove(): Promise<Cell[]>;
}
/**
 * All that has to be proved: every broken variant is caught, no other is accused, no degenerate peer earns a pass. With
 * `isSlice` each conforming client is judged by some of the requirements, and all of them together by all.
 */
export declare function loadCases(wanted?: (check: AnyCheck) => boolean, { isSlice }?: {
    readonly isSlice?: boolean;
}): Promise<ProofCase[]>;
