import type { Clock } from '../clock/clock.ts';
/** Nothing can be said, for a reason that is nobody's fault: a clause for the reader. */
export declare class GivenUp extends Error {
    readonly name = "GivenUp";
}
/** Keeps a detection small: whoever would go beyond it gives up. */
export interface Budget {
    attempt(): void;
    mint(): void;
    readonly attempts: number;
    readonly mints: number;
}
export interface Bounds {
    readonly attempts: number;
    readonly mints: number;
    readonly seconds: number;
}
export declare const usualBounds: Bounds;
export declare function createBudget(bounds: Bounds, clock: Clock, signal?: AbortSignal): Budget;
