import { existsSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { exitCodeOf, TwotokenError } from '../errors.ts'
import { createRedactor } from '../evidence/redact.ts'
import { version } from '../version.ts'

const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const wholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number is expected.')
  return Number(text)
}

const configurationHere = (): string | undefined =>
  existsSync('twotoken.yaml') ? 'twotoken.yaml' : undefined

/** Parses the command line, runs one command and returns the exit code. Nothing thrown gets past here. */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0
  const color = () =>
    process.env['NO_COLOR'] === undefined && !argv.includes('--no-color') && process.stdout.isTTY
  const environment = () => ({
    directory: process.cwd(),
    variables: process.env,
    stdout: process.stdout,
    stderr: {
      isTTY: process.stderr.isTTY === true,
      columns: process.stderr.columns ?? 80,
      write: (text: string) => void process.stderr.write(text),
    },
    color: color(),
    onInterrupt: (callback: () => void) => {
      process.once('SIGINT', callback)
      process.once('SIGTERM', callback)
    },
  })

  const program = new Command('twotoken')
    .description('Conformance and contract tests for the two-token calling flow.')
    .version(version)
    .option('--no-color', 'plain output (so does NO_COLOR)')
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .showHelpAfterError('(see --help)')

  program
    .command('run')
    .description(
      'judge the implementation that the configuration describes; without one, the embedded reference',
    )
    .option('--config <file>', 'a twotoken.yaml (default: the one in this folder, where there is one)')
    .option('--suite <names>', 'only these: mint,backend,signaling,flow', list)
    .option('--only <ids>', 'only these requirements', list)
    .option('--out <folder>', 'where results.json and the report go (default: twotoken-results)')
    .option('--strict', 'a warning counts as a violation', false)
    .option('--no-wait', 'leave the cases untested that wait for a token to expire')
    .option('--keep-going', 'judge what can be judged although a part cannot be reached', false)
    .option('--json', 'print results.json on stdout', false)
    .option('--seed <number>', 'repeat the made-up ids and delays of another run', wholeNumber)
    .action(async ({ suite, config = configurationHere(), ...options }) => {
      const { run } = await import('./run.ts')
      const chosen = {
        ...(suite === undefined ? {} : { suites: suite }),
        ...(config === undefined ? {} : { config }),
      }
      exitCode = await run({ ...options, ...chosen }, environment())
    })

  program
    .command('serve')
    .description('start the reference stack, or a variant of it, and stay up')
    .argument('[parts]', 'mint,backend,signaling,console (default: all)', list)
    .option('--port-base <number>', 'the mint listens there, the others on the ports behind it', wholeNumber)
    .option('--variant <name>', 'a broken or a conforming variant')
    .option('--json', 'print one JSON object once it is up', false)
    .action(async (parts, options) => {
      const { serve } = await import('./serve.ts')
      exitCode = await serve({ ...options, ...(parts === undefined ? {} : { parts }) }, environment())
    })

  program
    .command('doctor')
    .description('check the configuration and reachability before anything is judged')
    .option('--config <file>', 'a twotoken.yaml')
    .action(async (options) => {
      const { doctor } = await import('./doctor.ts')
      exitCode = await doctor(options, environment())
    })

  program
    .command('init')
    .description('write a commented twotoken.yaml')
    .option('--force', 'overwrite one that is there', false)
    .action(async ({ force }) => {
      const { initialise } = await import('./init.ts')
      process.stdout.write(`wrote ${await initialise({ directory: process.cwd(), force })}\n`)
    })

  program
    .command('list')
    .description('the requirements')
    .option('--json', 'as data', false)
    .action(async (options) => {
      const { list } = await import('./list.ts')
      exitCode = await list(options, environment())
    })

  program
    .command('explain')
    .description('one requirement: its clause, its reason, what it needs and how it fails')
    .argument('<id>')
    .action(async (id) => {
      const { explain } = await import('./explain.ts')
      exitCode = await explain({ id }, environment())
    })

  program
    .command('report')
    .description('render a result file again')
    .argument('<results.json>')
    .requiredOption('--format <name>', 'html, junit or markdown')
    .option('--out <file>', 'where to write it (default: stdout)')
    .action(async (file, options) => {
      const { report } = await import('./report.ts')
      exitCode = await report({ file, ...options }, environment())
    })

  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? 0 : exitCodeOf(new TwotokenError('usage', ''))
    process.stderr.write(`twotoken: ${createRedactor().text(sentenceOf(error))}\n`)
    return exitCodeOf(error)
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof TwotokenError) return error.message
  return `the suite itself failed: ${error instanceof Error ? error.message : String(error)}`
}
