import { resolve } from 'node:path'
import { env } from 'node:process'
import { Command, CommanderError, Help, Option } from 'commander'
import { exitCodeOf, TwotokenError } from '../base/errors.ts'
import { processSecrets } from '../base/evidence/secrets.ts'
import { isInconclusive } from '../base/inconclusive.ts'
import { onLines } from '../base/printable.ts'
import { removedWords } from '../base/removed.ts'
import { blameUserModule } from '../base/user-modules.ts'
import { documentation, version } from '../base/version.ts'
import { envFileVariable } from '../configuration/env-file.ts'

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

interface EnvOptions {
  readonly env?: string
  readonly envFile?: string | false
}

/** Lets a command take the values of variables from a named file. Node reads every `--env-file` itself, before this program. */
export function describeEnvFile(command: Command): void {
  command
    .option('--env <file>', 'values for variables, instead of .env beside the configuration')
    .addOption(new Option('--env-file <file>', 'the same as --env').hideHelp())
    .option('--no-env-file', 'read no .env')
    .hook('preAction', () => {
      const { env: file, envFile } = command.opts<EnvOptions>()
      const named = file ?? envFile
      if (named !== undefined) env[envFileVariable] = named === false ? '' : resolve(named)
    })
}

/** Ends the process on an uncaught error with its own exit code: Node would print a stack and exit with 1, a violation. */
function handleUncaughtErrors(name: string): void {
  const end = (thrown: unknown) => {
    const error = blameUserModule(thrown) ?? thrown
    printError(name, error)
    process.exit(exitCodeOf(error))
  }
  process.on('uncaughtException', end)
  // A check learns of it where it awaits it: the others, and the results, go on.
  process.on('unhandledRejection', (reason) => {
    if (!isInconclusive(reason)) end(reason)
  })
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader such as `head` has closed the pipe: the verdicts and the exit code do not change.
      if (error.code === 'EPIPE') return
      end(new TwotokenError('unwritable', `cannot write to stdout or stderr (${error.code})`, error))
    })
}

/** Prints one sentence of a command on stderr, without secrets, and with nothing in it that a terminal or a CI system follows. */
function printError(name: string, error: unknown): void {
  const said = error instanceof Error ? error.message : String(error)
  const sentence = error instanceof TwotokenError ? said : `internal error: ${said}`
  process.stderr.write(`${name}: ${onLines(processSecrets.printed(sentence))}\n`)
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
