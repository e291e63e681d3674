export interface CommandSurroundings {
    /** The folder in which commands run. */
    readonly directory: string;
    readonly environment: NodeJS.ProcessEnv;
    /** How long a command may take. */
    readonly commandSeconds?: number;
    /** Ends every command. */
    readonly signal?: AbortSignal;
}
type CommandOutcome = {
    readonly output: string;
} | {
    readonly failure: string;
};
/**
 * What a shell command prints, trimmed. It runs in a process group of its own, and the whole group is gone when this
 * returns. A failure is the end of a sentence that begins with the key, and never shows what the command printed.
 */
export declare function commandOutput(command: string, { directory, environment, commandSeconds, signal }: CommandSurroundings): Promise<CommandOutcome>;
export {};
