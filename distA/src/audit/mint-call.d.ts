/** A place where the mint endpoint's path stands, and what is known of its host. */
export interface MintCall {
    /** As it would be requested, without user information. */
    readonly url: string;
    readonly target: 'mint' | 'other' | 'interpolated' | 'relative';
    /** Index in the text where the URL begins. */
    readonly start: number;
}
/** Stands for a part of a string that is only known when the program runs. */
export declare const hole = "\uFFFC";
/**
 * Reads the URL whose `v1/calling/token` is at an index. `null` where the path goes on or begins differently, as
 * the customer's own route may.
 */
export declare function mintCallAt(text: string, at: number, mintHost: string | undefined): MintCall | null;
/** Whether a text is the address of the mint, as a client is told where its calls go. */
export declare function isMintAddress(text: string, mintHost: string): boolean;
