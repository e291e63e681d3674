/** What one request to a server that may not be up yet came to: null when it is up, else why it is not. */
export type Silence = string | null;
/**
 * Whether a server answers HTTP, whatever it says; with `health`, whether it answers 2xx there. Its certificate does
 * not matter yet: the checks themselves accept none that does not hold.
 */
export declare function silenceOf(url: string, health?: string): Promise<Silence>;
