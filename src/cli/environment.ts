import { TwotokenError } from '../base/errors.ts'
import { processSecrets } from '../base/evidence/secrets.ts'
import { onLines } from '../base/printable.ts'

/** The environment of a command. Its output has no secret in it, unless `clean` says otherwise. */
export function createEnvironment(
  own: NodeJS.Process,
  argv: readonly string[],
  clean = processSecrets.printed,
) {
  const color = own.env['NO_COLOR'] === undefined && !argv.includes('--no-color') && own.stdout.isTTY
  const [print, complain] = [guardStream(own.stdout), guardStream(own.stderr)]
  return {
    directory: own.cwd(),
    variables: own.env,
    stdout: { write: (text: string) => print(clean(text)) },
    get stdin() {
      return own.stdin
    },
    stderr: {
      isTTY: own.stderr.isTTY === true,
      // Another one after the terminal was resized.
      get columns() {
        return widthOf(own.stderr)
      },
      write: (text: string) => void complain(clean(text)),
    },
    color,
    columns: own.stdout.isTTY ? widthOf(own.stdout) : undefined,
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

/** A terminal that was opened without a size, as by `docker run -t` in some jobs, says 0. */
function widthOf({ columns = 0 }: NodeJS.WriteStream): number {
  return columns > 0 ? columns : 80
}

type Write = (text: string) => boolean

const guarded = new WeakMap<NodeJS.WriteStream, { readonly own: Write; readonly guard: Write }>()

/** Gives the writer of a stream to the command alone: what an adapter or a driver writes there is text of a peer. */
function guardStream(stream: NodeJS.WriteStream): Write {
  const known = guarded.get(stream)
  // Another writer may have taken the place of the guard since.
  if (known !== undefined && stream.write === known.guard) return known.own
  const write = stream.write.bind(stream)
  const guard = (chunk: string | Uint8Array, ...rest: []) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    return write(onLines(processSecrets.printed(text)), ...rest)
  }
  const own: Write = (text) => write(text)
  guarded.set(stream, { own, guard })
  stream.write = guard as typeof stream.write
  return own
}

/** A command that throws `interrupted` instead of whatever an interruption made fail. */
export function interruptible<Options, Environment extends { onInterrupt?(callback: () => void): void }>(
  act: (options: Options, environment: Environment, signal: AbortSignal) => Promise<number>,
) {
  return async (options: Options, environment: Environment): Promise<number> => {
    const interruption = new AbortController()
    environment.onInterrupt?.(() => interruption.abort())
    try {
      return await act(options, environment, interruption.signal)
    } catch (error) {
      if (interruption.signal.aborted) throw new TwotokenError('interrupted', 'interrupted', error)
      throw error
    }
  }
}
