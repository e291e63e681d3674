/** What a command gets from its process: its folder, its variables, its streams, and how it is interrupted. */
export function createEnvironment(own: NodeJS.Process, argv: readonly string[]) {
  const color = own.env['NO_COLOR'] === undefined && !argv.includes('--no-color') && own.stdout.isTTY
  return {
    directory: own.cwd(),
    variables: own.env,
    stdout: own.stdout,
    get stdin() {
      return own.stdin
    },
    stderr: {
      isTTY: own.stderr.isTTY === true,
      columns: own.stderr.columns ?? 80,
      write: (text: string) => void own.stderr.write(text),
    },
    color,
    onInterrupt: (callback: () => void) => {
      // The second signal ends the process at once.
      const interrupt = () => {
        // Later: a library that listens as well would mistake this first signal for the second.
        setImmediate(() => {
          for (const signal of ['SIGINT', 'SIGTERM'] as const) own.off(signal, interrupt)
        })
        callback()
      }
      for (const signal of ['SIGINT', 'SIGTERM'] as const) own.on(signal, interrupt)
    },
  }
}
