import { Command, CommanderError } from 'commander'
import { exitCodeOf, TwotokenError } from '../base/errors.ts'
import { outgoing } from '../base/evidence/redact.ts'
import { version } from '../base/version.ts'
import { handleUncaughtErrors, printError } from './uncaught-errors.ts'

/** A program with what every command line has: its version, colours, and errors without secrets. */
export function createProgram(name: string): Command {
  handleUncaughtErrors(name)
  return new Command(name)
    .version(version)
    .option('--no-color', 'disable colors (as NO_COLOR does)')
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(outgoing.received(text)) })
    .showHelpAfterError('(see --help)')
}

/** Parses the command line, runs its command and returns the exit code. Never rejects. */
export async function parseCommandLine(
  program: Command,
  argv: readonly string[],
  exitCode: () => number,
): Promise<number> {
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitCode()
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? 0 : exitCodeOf(new TwotokenError('usage', ''))
    printError(program.name(), error)
    return exitCodeOf(error)
  }
}
