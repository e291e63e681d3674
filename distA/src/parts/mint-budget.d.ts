/** How many calling tokens a run may have issued. What would go beyond it is not asked for. */
export interface MintBudget {
    /** Runs one request that issues a token, or refuses to; throws `Untested` where no token is left. */
    within<T>(request: () => Promise<T>, hasIssued: (outcome: T) => boolean): Promise<T>;
    /** A token that somebody else was issued on our behalf: it counts, and cannot be held back. */
    count(): void;
    /** Runs something, and says whether it was denied a token meanwhile. */
    watch(run: () => Promise<void>): Promise<boolean>;
}
/** Null: there is no limit. */
export declare function createMintBudget(limit: number | null): MintBudget;
