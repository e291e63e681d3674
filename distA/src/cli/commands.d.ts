/** Parses the command line, runs one command and returns the exit code. Nothing thrown gets past here. */
export declare function main(argv: readonly string[]): Promise<number>;
