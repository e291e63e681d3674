/** Breaks a text into indented lines of at most 100 columns; a longer word stays whole. */
export declare function wrapped(text: string, first?: string, rest?: string): string;
