/** A key that nobody owns, and by which its finding is known again. */
export interface Canary {
    readonly key: string;
    readonly fingerprint: string;
}
/** Keys of a strong shape, each different; the length is the suffix's. @param below a random number from 0 to one less than its argument */
export declare function createCanaries(prefix: string, below?: (limit: number) => number): (length?: number) => Canary;
