import { Command, CommanderError, Help, type Option } from 'commander'
import { exitCodeOf, TwotokenError } from '../base/errors.ts'
import { processSecrets } from '../base/evidence/secrets.ts'
import { documentation, version } from '../base/version.ts'
import { handleUncaughtErrors, printError } from './uncaught-errors.ts'

/** A program with what every command line has: its version, colours, and errors without secrets. */
export function createProgram(name: string): Command {
  handleUncaughtErrors(name)
  return new Command(name)
    .version(version)
    .option('--no-color', 'disable colors (as NO_COLOR does)')
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(processSecrets.printed(text)) })
    .configureHelp({ optionDescription: describeOption })
    .addHelpText('afterAll', exitCodes)
    .showHelpAfterError('(see --help)')
}

const exitCodes = `
Exit codes:
  0  conformant or clean, and complete
  1  a violation (with --strict also a warning)
  2  wrong usage or configuration
  3  incomplete: not everything that applies could be judged
  4  a defect of twotoken itself

Documentation: ${documentation}`

const { optionDescription } = Help.prototype

/** Leaves out the default of a switch and of a list: it is off, or empty. */
function describeOption(this: Help, option: Option): string {
  const isPlain =
    option.defaultValue === false || (Array.isArray(option.defaultValue) && option.defaultValue.length === 0)
  return isPlain ? option.description : optionDescription.call(this, option)
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
