import { Command, CommanderError, Help, type Option } from 'commander'
import { exitCodeOf, TwotokenError } from '../base/errors.ts'
import { processSecrets } from '../base/evidence/secrets.ts'
import { removedWords } from '../base/removed.ts'
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
    rejectRemoved(program, argv)
    await program.parseAsync([...argv], { from: 'user' })
    return exitCode()
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? 0 : exitCodeOf(new TwotokenError('usage', ''))
    printError(program.name(), error)
    return exitCodeOf(error)
  }
}

/** Rejects a command, an option or an argument that is gone, with what to do instead. */
export function rejectRemoved(program: Command, argv: readonly string[]): void {
  const isAudit = program.name() === 'twotoken-audit'
  const given = (isAudit ? ['audit', ...argv] : argv).flatMap((word) =>
    word.startsWith('--') ? word.split('=', 2) : [word],
  )
  for (const [text, instead] of Object.entries(removedWords)) {
    const [name, ...words] = text.split(' ')
    const isGiven =
      given[0] === name && (words.length === 0 || given.some((_, at) => startsWith(given.slice(at), words)))
    if (!isGiven) continue
    const command = isAudit ? program : program.commands.find((one) => one.name() === name)
    if (command === undefined || !takes(command, words))
      throw new TwotokenError('usage', `${text} was removed: ${instead}`)
  }
}

function startsWith(given: readonly string[], words: readonly string[]): boolean {
  return words.every((word, at) => given[at] === word)
}

function takes(command: Command, [word = '', ...more]: readonly string[]): boolean {
  if (more.length > 0) return false
  return (
    command.options.some(({ long }) => long === word) ||
    command.registeredArguments.some(({ argChoices }) => argChoices?.includes(word))
  )
}
