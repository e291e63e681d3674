/**
 * Lets many share a thing, and one at a time have it alone: checks that script the mint double need the backend to
 * themselves. First come, first served, so neither side starves; only a turn that is due soon goes before the others,
 * because a token expires meanwhile.
 */
export interface Turns {
    /** Runs beside others that share; inside a turn of one's own it runs at once. */
    shared<T>(run: () => Promise<T>): Promise<T>;
    alone<T>(run: () => Promise<T>, due?: {
        readonly soon: boolean;
    }): Promise<T>;
}
export declare function createTurns(): Turns;
