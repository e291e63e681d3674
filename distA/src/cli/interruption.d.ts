/** Resolves with null when the user interrupts. */
export declare function interruptionOf(signal: AbortSignal): Promise<null>;
