/** The end of what a program has printed, for the reader of an error: each line indented, nothing where there is none. */
export declare function lastLines(log: string, clean: (text: string) => string): string;
