import type { FileOnDisk } from '../walk.ts';
/** Which of two threads reads a file, in memory that both see. */
export interface Claims {
    readonly states: Int32Array<SharedArrayBuffer>;
    /** `true` where the file is this thread's from now on. */
    takeFirst(index: number): boolean;
    takeSecond(index: number): boolean;
    /** Gives back a file that the second thread has taken. */
    leave(index: number): void;
    left(): number[];
    /** All that the second thread has taken, given back or not. */
    ofSecond(): number[];
}
export declare function createClaims(files: readonly FileOnDisk[]): Claims;
export declare function claimsIn(states: Int32Array<SharedArrayBuffer>): Claims;
