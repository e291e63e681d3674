import { startAhead } from '../../audit/src/start-ahead.ts'

/** Options with which no file is read by a thread. */
const others = new Set(['--help', '-h', '--self-test'])

/** Starts an audit's thread before the command line is parsed, where the arguments name something to read. */
export function startReading(args: readonly string[]): void {
  if (args.some((arg) => !arg.startsWith('-')) && !args.some((arg) => others.has(arg))) startAhead()
}
