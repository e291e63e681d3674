import type { Canary } from './canary.ts';
/** A canary that was planted, or that could not be. */
export interface Sown extends Canary {
    readonly format: string;
    readonly slot: string;
    readonly encoding: string;
    /** The kinds of containers around the file, outermost first. */
    readonly container: readonly string[];
    readonly location: string;
    /** Why it could not be planted. */
    readonly refused?: string;
}
/** What is planted where: each format gets its canaries once in each kind of container. */
export interface Plan {
    /** A copy of a file with canaries in it, or `null` where none was wanted in it any more. */
    plantInto(location: string, name: string, bytes: Buffer): Buffer | null;
    sown(): readonly Sown[];
}
export declare function createPlan(nextCanary: () => Canary): Plan;
