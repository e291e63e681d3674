/** A program in a process group of its own, and what it has printed. */
export interface Running {
    /** Resolves when it has ended, with how. */
    readonly ended: Promise<string>;
    /** How it has ended, or null while it runs. */
    state(): string | null;
    printed(): string;
    /** Asks the whole group to end, and then makes it. */
    stop(graceMs: number): Promise<void>;
}
export interface Program {
    readonly file: string;
    readonly args: readonly string[];
    readonly directory: string;
    readonly environment: NodeJS.ProcessEnv;
}
/** Starts a program; one that cannot be started has ended. */
export declare function startProgram({ file, args, directory, environment }: Program): Running;
