import { Argument, type Command, Option } from 'commander'
import { blockLimits, startWatchdog } from '../base/watchdog.ts'
import { offerFormats, runFormats } from '../reports/formats.ts'
import { exploredRoles } from '../requirement/explored-roles.ts'
import { describeAudit } from './audit-program.ts'
import { createProgram, describeEnvFile, parseCommandLine } from './command-line.ts'
import { createEnvironment } from './environment.ts'
import { findConfiguration, requireConfiguration } from './find-configuration.ts'
import {
  collect,
  parseCredential,
  parseHttpUrl,
  parseList,
  parsePositive,
  parseReport,
  parseSecret,
  parseWholeNumber,
} from './option-values.ts'

const configOption = new Option(
  '--config <file>',
  'configuration file (default: the nearest twotoken.yaml, up to the root of the repository)',
)
const referenceOption = new Option('--reference', 'use the embedded reference stack').conflicts('config')
const outOption = new Option(
  '--out <folder>',
  'output folder for results.json and the report (default: twotoken-results)',
)
const reportOption = new Option(
  '--report <format=file>',
  `also write ${offerFormats(runFormats)} to a file (repeatable)`,
)
  .argParser(parseReport(runFormats))
  .default([])
const strictOption = new Option('--strict', 'count warnings as violations').default(false)
const jsonOption = new Option('--json', 'print results.json to stdout').default(false)

interface CommandLine {
  readonly argv: readonly string[]
  readonly environment: () => ReturnType<typeof createEnvironment>
  readonly end: (exitCode: number) => void
}

/** Parses the command line, runs one command and returns the exit code. Never rejects. */
export async function main(argv: readonly string[]): Promise<number> {
  await using stack = new AsyncDisposableStack()
  let exitCode = 0
  const line: CommandLine = {
    argv,
    environment: () => createEnvironment(process, argv),
    end: (code) => {
      exitCode = code
    },
  }

  const program = createProgram('twotoken').description(
    'Conformance and contract tests for the two-token calling flow.',
  )
  // Readers of the audit are bounded by the size of what they read, and the thread that folds scripts is ended by itself.
  program.hook('preAction', (_, command) => {
    if (command.name() !== 'audit') stack.use(startWatchdog(blockLimits))
  })

  for (const describe of [describeRun, describeExplore, describeServe, describeVerify])
    describe(program, line)
  describeAudit(program.command('audit'), argv, line.end)
  const others = [describeDoctor, describeDetect, describeInit, describeList, describeExplain, describeReport]
  for (const describe of others) describe(program, line)
  addExamples(program)
  const readsConfiguration = ({ options }: Command) => options.some(({ long }) => long === '--config')
  for (const command of program.commands)
    if (command.name() !== 'audit' && readsConfiguration(command)) describeEnvFile(command)

  return await parseCommandLine(program, argv, () => exitCode)
}

const examples: Readonly<Record<string, readonly string[]>> = {
  '': ['npx twotoken init', 'npx twotoken run --suite backend', 'npx twotoken explain BACK-04'],
  run: [
    'npx twotoken run --suite backend --watch',
    'npx twotoken run --only BACK-04,BACK-07 --report junit=junit.xml',
  ],
  explore: ['npx twotoken explore backend --minutes 10'],
  serve: [
    'npx twotoken serve --state .twotoken --port-base 9400',
    'npx twotoken serve mint --variant MINT-04/mints-without-a-key',
  ],
  verify: ['npx twotoken verify mint --url https://api.acme.example --credential apiKey=env:CALLING_API_KEY'],
  doctor: ['npx twotoken doctor --config staging.yaml'],
  detect: ['npx twotoken detect --write'],
  init: [
    'npx twotoken init',
    'npx twotoken init --yes --users alice@example.com,bob@example.com --ci github',
  ],
  list: ['npx twotoken list --json'],
  explain: ['npx twotoken explain BACK-04', 'npx twotoken explain BACK-04 --variants'],
  report: ['npx twotoken report twotoken-results/results.json --format markdown'],
}

/** Ends the help of every command with examples; the audit names its own. */
function addExamples(program: Command): void {
  for (const command of [program, ...program.commands]) {
    const lines = examples[command === program ? '' : command.name()] ?? []
    if (lines.length > 0)
      command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  }
}

/** The file of what is judged; undefined for the embedded reference. */
function fileOf(named: string | undefined, isReference = false): string | undefined {
  return isReference ? undefined : (named ?? requireConfiguration(process.cwd()))
}

function describeRun(program: Command, { environment, end }: CommandLine): void {
  program
    .command('run')
    .description('test the parts that the configuration describes')
    .addOption(configOption)
    .addOption(referenceOption)
    .option('--suite <names>', 'run only these suites: mint,backend,signaling,flow,client,bundle', parseList)
    .option('--only <ids>', 'run only these requirements, by id', parseList)
    .addOption(outOption)
    .addOption(reportOption)
    .addOption(strictOption)
    .option('--no-wait', 'skip cases that wait for a token to expire (reported as untested)')
    .option('--keep-going', 'continue with the other parts when one is unreachable', false)
    .addOption(jsonOption)
    .option('--with-contracts', 'also verify the Pact contracts', false)
    .option(
      '--containers',
      'run the reference, or the images configured in place of its parts, in containers',
      false,
    )
    .option(
      '--max-mints <number>',
      'limit the calling tokens issued; requirements beyond it stay untested',
      parseWholeNumber,
    )
    .option('--observe', 'prompt for each step on a device, and judge its traffic', false)
    .option('--screenshots', 'keep masked pictures and traces of pages where the client fails', false)
    .addOption(
      new Option('--evidence <kind>', 'full: also write evidence.json (mode 0600), which masks secrets only')
        .choices(['masked', 'full'])
        .default('masked'),
    )
    .option('--seed <number>', 'reproduce the generated ids and delays of another run', parseWholeNumber)
    .option('--watch', 'rerun what failed when a file changes', false)
    .action(async ({ suite, config: named, reference, watch: isWatching, ...options }) => {
      const config = fileOf(named, reference)
      const judge = isWatching
        ? (await import('./commands/watch.ts')).watch
        : (await import('./commands/run.ts')).run
      end(await judge({ ...options, suites: suite, config }, environment()))
    })
}

function describeExplore(program: Command, { environment, end }: CommandLine): void {
  program
    .command('explore')
    .description('test a part with random sequences of sign-ins, requests, failures and delays')
    .addArgument(new Argument('<role>', 'the part to explore').choices(exploredRoles))
    .addOption(configOption)
    .addOption(referenceOption)
    .option('--minutes <number>', 'how long to explore', parsePositive, 5)
    .option('--seed <number>', 'repeat the stories of another exploration', parseWholeNumber)
    .option('--replay <file>', 'replay one story: a story-EXP-….json of the results folder')
    .option(
      '--out <folder>',
      'output folder for results.json and the report (default: twotoken-results/explore-<role>)',
    )
    .addOption(reportOption)
    .addOption(strictOption)
    .addOption(jsonOption)
    .action(async (role, { config: named, reference, ...options }) => {
      const config = fileOf(named, reference)
      const { exploreCommand } = await import('./commands/explore.ts')
      end(await exploreCommand({ role, ...options, config }, environment()))
    })
}

function describeServe(program: Command, { argv, end }: CommandLine): void {
  program
    .command('serve')
    .description('start the reference stack, or a variant of it, and keep it running')
    .argument('[parts]', 'mint,backend,signaling,console,app (default: all)', parseList)
    .option(
      '--port-base <number>',
      "the mint's port; the other parts use the ports after it",
      parseWholeNumber,
    )
    .option('--variant <name>', 'serve a broken or a conforming variant')
    .option('--state <folder>', 'keep API keys and certificates in this folder, for the next start')
    .option('--json', 'print addresses and credentials as JSON once it is ready', false)
    .action(async (parts, options) => {
      const { serve } = await import('./commands/serve.ts')
      // It prints the keys and sessions of its own stack: they are for the user, and worth nothing elsewhere.
      const plain = createEnvironment(process, argv, (text) => text)
      end(await serve({ ...options, parts }, plain))
    })
}

function describeVerify(program: Command, { environment, end }: CommandLine): void {
  program
    .command('verify')
    .description('verify a provider against the Pact contracts')
    .addArgument(new Argument('<role>', 'the provider to verify').choices(['mint', 'backend']))
    .option('--url <url>', "base URL of the mint, or the backend's token route")
    .addOption(configOption)
    .option(
      '--credential <name=value>',
      'apiKey, session, …; env:NAME reads an environment variable (repeatable)',
      parseCredential,
      {},
    )
    .option('--method <method>', 'HTTP method of the token route: POST or GET')
    .option('--pact <file>', 'a pact file, a folder of them or a URL (repeatable)', collect, [])
    .option('--provider <name>', "the provider's name in the pacts")
    .option('--state-url <url>', 'endpoint that sets up provider states')
    .option('--state-command <command>', 'command that sets up provider states')
    .option('--broker-url <url>', 'fetch pacts from this Pact Broker')
    .option(
      '--broker-token <token>',
      "the broker's token, or env:NAME (default: PACT_BROKER_TOKEN)",
      parseSecret,
    )
    .option('--selector <json>', 'a consumer version selector (repeatable)', collect, [])
    .option('--enable-pending', 'report failures of pending pacts as warnings', false)
    .option('--publish', 'publish the verification results to the broker', false)
    .option('--provider-version <version>', 'the version that is verified')
    .option('--provider-branch <branch>', 'the branch of that version')
    .option('--build-url <url>', 'the CI build, as a link in the broker')
    .option('--out <folder>', 'output folder for results.json and the reports (default: twotoken-results)')
    .addOption(reportOption)
    .addOption(strictOption)
    .addOption(jsonOption)
    .action(async (role, { config = findConfiguration(process.cwd()), ...options }) => {
      const { verify } = await import('./commands/verify.ts')
      const { brokerToken = process.env['PACT_BROKER_TOKEN'] } = options
      end(await verify({ role, ...options, brokerToken, config }, environment()))
    })
}

function describeDoctor(program: Command, { environment, end }: CommandLine): void {
  program
    .command('doctor')
    .description('check the configuration and that every part is reachable')
    .addOption(configOption)
    .action(async ({ config = findConfiguration(process.cwd()) }) => {
      const { doctor } = await import('./commands/doctor.ts')
      end(await doctor({ config }, environment()))
    })
}

function describeDetect(program: Command, { environment, end }: CommandLine): void {
  program
    .command('detect')
    .description('try the common ways to send a token to signaling, and print the profile')
    .addOption(configOption)
    .option('--write', 'write the detected profile to the configuration file', false)
    .action(async ({ config = findConfiguration(process.cwd()), ...options }) => {
      const { detect } = await import('./commands/detect.ts')
      end(await detect({ ...options, config }, environment()))
    })
}

function describeInit(program: Command, { environment, end }: CommandLine): void {
  program
    .command('init')
    .description('write twotoken.yaml for the backend in this folder, and run the suite once')
    .option('--force', 'overwrite an existing file', false)
    .option('--yes', 'accept all proposals without asking', false)
    .option('--start <command>', 'command that starts the backend')
    .option('--backend-url <url>', 'token route URL', parseHttpUrl)
    .addOption(new Option('--method <method>', 'token route method').choices(['POST', 'GET'] as const))
    .option('--login <how>', 'login URL, or a command with {user} that prints a session')
    .option('--users <names>', 'login names of two test users (default: alice,bob)', parseList)
    .addOption(new Option('--ci <service>', 'write a CI job').choices(['github', 'gitlab', 'none']))
    .option('--no-run', 'only write the files')
    .action(async (options) => {
      const { initCommand } = await import('./commands/init.ts')
      end(await initCommand(options, environment()))
    })
}

function describeList(program: Command, { environment, end }: CommandLine): void {
  program
    .command('list')
    .description('list the requirements')
    .option('--json', 'print as JSON', false)
    .action(async (options) => {
      const { list } = await import('./commands/list.ts')
      end(await list(options, environment()))
    })
}

function describeExplain(program: Command, { environment, end }: CommandLine): void {
  program
    .command('explain')
    .description('explain one requirement: why, its fix, clause, method and needs')
    .argument('<id>', 'a requirement, such as MINT-04, or a word such as caching')
    .option('--variants', 'list the broken variants that it catches', false)
    .action(async (id, options) => {
      const { printExplanation } = await import('./commands/explain.ts')
      end(await printExplanation({ id, ...options }, environment()))
    })
}

function describeReport(program: Command, { environment, end }: CommandLine): void {
  program
    .command('report')
    .description('render results.json in another format')
    .argument('<results.json>', 'the results of a run')
    .requiredOption('--format <name>', offerFormats(runFormats))
    .option('--out <file>', 'output file (default: stdout)')
    .action(async (file, options) => {
      const { report } = await import('./commands/report.ts')
      end(await report({ file, ...options }, environment()))
    })
}
