/** What a command is given of its own process: where it stands, what it may print to, and how it is interrupted. */
export declare function environmentOf(own: NodeJS.Process, argv: readonly string[]): {
    directory: string;
    variables: NodeJS.ProcessEnv;
    stdout: NodeJS.WriteStream & {
        fd: 1;
    };
    readonly stdin: NodeJS.ReadStream & {
        fd: 0;
    };
    stderr: {
        isTTY: boolean;
        columns: number;
        write: (text: string) => undefined;
    };
    color: boolean;
    onInterrupt: (callback: () => void) => void;
};
