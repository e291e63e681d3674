/** What a command is given of its own process: where it stands, what it may print to, and how it is interrupted. */
export function environmentOf(own, argv) {
    const color = own.env['NO_COLOR'] === undefined && !argv.includes('--no-color') && own.stdout.isTTY;
    return {
        directory: own.cwd(),
        variables: own.env,
        stdout: own.stdout,
        get stdin() {
            return own.stdin;
        },
        stderr: {
            isTTY: own.stderr.isTTY === true,
            columns: own.stderr.columns ?? 80,
            write: (text) => void own.stderr.write(text),
        },
        color,
        onInterrupt: (callback) => {
            // The second signal, whichever it is, ends the process at once.
            const interrupt = () => {
                // Not at once: a library that listens, too, would take this first one for the second.
                setImmediate(() => {
                    for (const signal of ['SIGINT', 'SIGTERM'])
                        own.off(signal, interrupt);
                });
                callback();
            };
            for (const signal of ['SIGINT', 'SIGTERM'])
                own.on(signal, interrupt);
        },
    };
}
