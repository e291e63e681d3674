/** What is thrown outside of every call: Node would print a stack and end with 1, the code of a violation. */
export declare function catchStrays(): void;
/** One sentence on stderr, without a secret. */
export declare function say(error: unknown): void;
