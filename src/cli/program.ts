import { existsSync } from 'node:fs'
import type { ArgumentHandler, OptionHandler, RootCommand } from '@bomb.sh/tab'
import { Argument, type Command, Option } from 'commander'
import { blockLimits, startWatchdog } from '../base/watchdog.ts'
import { frameworkNames } from '../reports/fix-pages.ts'
import { offerFormats, runFormats } from '../reports/formats.ts'
import { historyFormats } from '../reports/history/formats.ts'
import { exploredRoles } from '../requirement/explored-roles.ts'
import { profiles } from '../storm/profiles.ts'
import { parseReport } from './asked-reports.ts'
import { describeAudit } from './audit-command.ts'
import { createProgram, parseCommandLine } from './command-line.ts'
import { describeEnvFile } from './env-file-option.ts'
import { createEnvironment } from './environment.ts'
import {
  collect,
  parseCredential,
  parseHttpUrl,
  parseList,
  parsePositive,
  parseSecret,
  parseWholeNumber,
} from './option-values.ts'

const configurationHere = (): string | undefined =>
  existsSync('twotoken.yaml') ? 'twotoken.yaml' : undefined

const configOption = new Option(
  '--config <file>',
  'configuration file (default: twotoken.yaml in this folder, if it exists)',
)
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
  /** Takes the exit code of the command. */
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
  // Threads of the audit read what it is given, and are ended by themselves.
  program.hook('preAction', (_, command) => {
    if (command.name() !== 'audit') stack.use(startWatchdog(blockLimits))
  })

  describeRun(program, line)
  describeExplore(program, line)
  describeStorm(program, line)
  describeServe(program, line)
  describeVerify(program, line)
  describeMerge(program, line)
  describeAudit(program.command('audit'), argv, line.end)
  describeDoctor(program, line)
  describeDetect(program, line)
  describeInit(program, line)
  describeList(program, line)
  describeExplain(program, line)
  describeReport(program, line)
  describeVerifyReport(program, line)
  describeHistory(program, line)
  describeDiff(program, line)
  await describeComplete(program, argv)
  addExamples(program)
  const reading = ({ options }: Command) => options.some(({ long }) => long === '--config')
  for (const command of program.commands)
    if (reading(command) && command.name() !== 'audit') describeEnvFile(command)

  return await parseCommandLine(program, argv, () => exitCode)
}

/** A function of the package bash-completion, which many systems, such as macOS, do not have. */
const wordsOfBash = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
  words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
}
`

/** Loads what completes only when it is asked for: it is of no use to any other command. */
async function describeComplete(program: Command, [name, shell, ...rest]: readonly string[]): Promise<void> {
  if (name === 'complete') {
    if (shell === 'bash') process.stdout.write(wordsOfBash)
    const { default: complete } = await import('@bomb.sh/tab/commander')
    const { commands } = complete(program)
    // Finding the ids loads every requirement.
    if (rest.includes('explain') || rest.includes('--only')) await completeIds(commands)
    return
  }
  program
    .command('complete')
    .description('print the script by which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'fish', 'powershell', 'zsh']))
}

async function completeIds(commands: RootCommand['commands']): Promise<void> {
  const [{ loadCatalogue }, { sentenceOf }] = await Promise.all([
    import('../catalogue/load-requirements.ts'),
    import('../reports/describe-results.ts'),
  ])
  const catalogue = await loadCatalogue()
  const offer: ArgumentHandler & OptionHandler = (complete) => {
    for (const check of catalogue) complete(check.id, sentenceOf(check))
  }
  commands.get('explain')?.argument('id', offer)
  commands.get('run')?.option('only', 'run only these requirements, by id', offer)
}

const examples: Readonly<Record<string, readonly string[]>> = {
  '': ['npx twotoken init', 'npx twotoken run --suite backend', 'npx twotoken explain BACK-04 --fix express'],
  run: [
    'npx twotoken run --suite backend --watch',
    'npx twotoken run --only BACK-04,BACK-07 --report junit=junit.xml',
  ],
  explore: ['npx twotoken explore backend --minutes 10'],
  storm: [
    'npx twotoken storm --users 200 --seconds 60',
    'npx twotoken storm --profile expiry --export storm.json',
    'npx twotoken storm --parts part-1.log part-2.log',
  ],
  serve: [
    'npx twotoken serve --state .twotoken --port-base 9400',
    'npx twotoken serve mint --variant MINT-04/mints-without-a-key',
  ],
  verify: ['npx twotoken verify mint --url https://api.acme.example --credential apiKey=env:CALLING_API_KEY'],
  merge: [
    'npx twotoken merge shard-1 shard-2 --out twotoken-results',
    'npx twotoken merge --targets eu us --out targets',
  ],
  doctor: ['npx twotoken doctor --config staging.yaml'],
  detect: ['npx twotoken detect --write'],
  init: [
    'npx twotoken init',
    'npx twotoken init --yes --users alice@example.com,bob@example.com --ci github',
  ],
  list: ['npx twotoken list --json'],
  explain: ['npx twotoken explain BACK-04', 'npx twotoken explain BACK-04 --fix fastapi'],
  report: ['npx twotoken report twotoken-results/results.json --format markdown'],
  'verify-report': ['npx twotoken verify-report twotoken-results/results.json'],
  history: ['npx twotoken history nights --out history.html'],
  complete: ['source <(npx twotoken complete zsh)', 'npx twotoken complete bash >> ~/.bashrc'],
  diff: ['npx twotoken diff main/results.json twotoken-results/results.json'],
}

/** Ends the help of every command with examples; the audit names its own. */
function addExamples(program: Command): void {
  for (const command of [program, ...program.commands]) {
    const lines = examples[command === program ? '' : command.name()] ?? []
    if (lines.length > 0)
      command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  }
}

function describeRun(program: Command, { environment, end }: CommandLine): void {
  program
    .command('run')
    .description('test the configured implementation; without a configuration, the embedded reference stack')
    .addOption(configOption)
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
      '--blame',
      'judge violations again with the reference as each part, to find the part at fault',
      false,
    )
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
      new Option('--evidence <kind>', 'full: also write what reports mask to evidence.json, for you alone')
        .choices(['masked', 'full'])
        .default('masked'),
    )
    .option('--seed <number>', 'reproduce the generated ids and delays of another run', parseWholeNumber)
    .option('--shard <index/count>', 'run one shard of the requirements, such as 2/4')
    .option('--watch', 'judge again what failed when a file changes, or on Enter', false)
    .action(async ({ suite, config = configurationHere(), watch: isWatching, ...options }) => {
      const judge = isWatching
        ? (await import('./commands/watch.ts')).watch
        : (await import('./commands/run.ts')).run
      end(await judge({ ...options, suites: suite, config }, environment()))
    })
}

function describeExplore(program: Command, { environment, end }: CommandLine): void {
  program
    .command('explore')
    .description('make up sequences of sign-ins, requests, failures and delays, to find one that breaks it')
    .addArgument(new Argument('<role>', 'the part to explore').choices(exploredRoles))
    .addOption(configOption)
    .option('--minutes <number>', 'how long to explore', parsePositive, 5)
    .option(
      '--until-covered',
      'end once every step has followed every other, at the latest after --minutes',
      false,
    )
    .option('--seed <number>', 'make up the same stories as another exploration', parseWholeNumber)
    .option('--replay <file>', 'tell one story again: a story-EXP-….json beside the results')
    .option(
      '--out <folder>',
      'output folder for results.json and the report (default: twotoken-results/explore-<role>)',
    )
    .addOption(reportOption)
    .addOption(strictOption)
    .addOption(jsonOption)
    .action(async (role, { config = configurationHere(), ...options }) => {
      const { exploreCommand } = await import('./commands/explore.ts')
      end(await exploreCommand({ role, ...options, config }, environment()))
    })
}

function describeStorm(program: Command, { environment, end }: CommandLine): void {
  program
    .command('storm')
    .description('put the flow under load with Artillery, and judge every answer')
    .addOption(configOption)
    .addOption(
      new Option('--profile <name>', 'what happens to all users at once').choices(profiles).default('steady'),
    )
    .option('--users <number>', 'users at once, up to load.maxUsers', parseWholeNumber, 100)
    .option('--seconds <number>', 'how long it lasts', parseWholeNumber, 60)
    .option('--think <seconds>', 'time between two turns of a user, on the average', parsePositive, 5)
    .option('--shard <index/count>', "this machine's share of the users and sessions")
    .option('--export <file>', 'write a script for "artillery run" on other machines instead')
    .option('--parts <files...>', 'judge the logs of such machines as one storm instead', [])
    .addOption(outOption)
    .addOption(reportOption)
    .addOption(strictOption)
    .addOption(jsonOption)
    .action(async ({ config = configurationHere(), ...options }) => {
      const { stormCommand } = await import('./commands/storm.ts')
      end(await stormCommand({ ...options, config }, environment()))
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
    .action(async (role, { config = configurationHere(), credential: given, pact, ...options }) => {
      const { verify } = await import('./commands/verify.ts')
      const { brokerUrl, brokerToken = process.env['PACT_BROKER_TOKEN'], selector, ...rest } = options
      const { enablePending, publish, providerVersion, providerBranch, buildUrl, ...others } = rest
      const broker = {
        url: brokerUrl,
        token: brokerToken,
        selectors: selector.length === 0 ? undefined : selector,
        ...{ enablePending, publish, providerVersion, providerBranch, buildUrl },
      }
      const exitCode = await verify(
        {
          role,
          ...others,
          credentials: given,
          config,
          pacts: pact.length === 0 ? undefined : pact,
          broker: brokerUrl === undefined ? undefined : broker,
        },
        environment(),
      )
      end(exitCode)
    })
}

function describeMerge(program: Command, { environment, end }: CommandLine): void {
  program
    .command('merge')
    .description('merge the results of the shards of a run, or of the machines of a storm')
    .argument('<results...>', 'results.json files, or folders that contain them')
    .addOption(outOption)
    .addOption(reportOption)
    .addOption(strictOption)
    .addOption(jsonOption)
    .addOption(
      new Option(
        '--targets',
        'put the last runs of different targets side by side: targets.html, targets.json',
      )
        .default(false)
        .conflicts(['report', 'strict']),
    )
    .action(async (paths, { targets, ...options }) => {
      const { merge, mergeTargets } = await import('./commands/merge.ts')
      const mergeThem = targets ? mergeTargets : merge
      end(await mergeThem({ paths, ...options }, environment()))
    })
}

function describeDoctor(program: Command, { environment, end }: CommandLine): void {
  program
    .command('doctor')
    .description('check the configuration and that every part is reachable')
    .option('--config <file>', 'configuration file (default: twotoken.yaml in this folder)')
    .action(async (options) => {
      const { doctor } = await import('./commands/doctor.ts')
      end(await doctor(options, environment()))
    })
}

function describeDetect(program: Command, { environment, end }: CommandLine): void {
  program
    .command('detect')
    .description('detect what the specification leaves open, such as how tokens travel, and print a profile')
    .option('--config <file>', 'configuration file (default: twotoken.yaml in this folder)')
    .option('--write', 'write the detected profile to the configuration file', false)
    .option('--force', 'with --write: replace an existing profile', false)
    .option('--try <yaml>', 'a carriage to try first, as in a profile (repeatable)', collect, [])
    .option('--wait', 'wait for a token to expire, to measure the leeway', false)
    .option('--max-mints <number>', 'limit the calling tokens issued', parseWholeNumber)
    .option('--json', 'print the result as JSON', false)
    .action(async ({ try: hints, ...options }) => {
      const { detect } = await import('./commands/detect.ts')
      end(await detect({ ...options, hints }, environment()))
    })
}

function describeInit(program: Command, { environment, end }: CommandLine): void {
  program
    .command('init')
    .description('describe the backend in this folder in twotoken.yaml, and run for the first time')
    .option('--force', 'overwrite an existing file', false)
    .option('--yes', 'accept what is found, and ask nothing', false)
    .option('--start <command>', 'command that starts the backend')
    .option('--backend-url <url>', 'its token route', parseHttpUrl)
    .option('--login <how>', 'address of its login, or a command with {user} that prints a session')
    .option('--login-body <text>', 'body of the login, with {user} and {password}')
    .option('--users <names>', 'login names of two test users (default: alice,bob)', parseList)
    .option('--mint-url-variable <name>', "variable through which it gets the mint's address")
    .option('--mint-key-variable <name>', 'variable through which it gets the API key')
    .option('--no-tls', "serve the suite's mint over plain http")
    .addOption(new Option('--ci <service>', 'write a CI job').choices(['github', 'gitlab', 'none']))
    .option('--no-run', 'only write the files')
    .action(async ({ tls, ...options }) => {
      const { initCommand } = await import('./commands/init.ts')
      end(await initCommand({ ...options, tls: tls ? undefined : tls }, environment()))
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
    .argument('<id>', 'a requirement, such as MINT-04')
    .option('--variants', 'list the broken variants that it catches', false)
    .addOption(
      new Option(
        '--fix <framework>',
        'print code that meets a requirement on a backend, a mint or signaling',
      ).choices(frameworkNames),
    )
    .option('--whole', 'with --fix: the complete program of all fixes', false)
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

function describeVerifyReport(program: Command, { environment, end }: CommandLine): void {
  program
    .command('verify-report')
    .description('check that results.json is whole and unchanged since it was written')
    .argument('<results.json>', 'the results of a run')
    .action(async (file) => {
      const { verifyReport } = await import('./commands/verify-report.ts')
      end(await verifyReport({ file }, environment()))
    })
}

function describeHistory(program: Command, { environment, end }: CommandLine): void {
  program
    .command('history')
    .description('show results of many nights, regions and branches as one page')
    .argument('<results...>', 'results.json files, or folders that contain them')
    .option('--format <name>', offerFormats(historyFormats), 'html')
    .option('--out <file>', 'output file (default: stdout)')
    .action(async (paths, options) => {
      const { history } = await import('./commands/history.ts')
      end(await history({ paths, ...options }, environment()))
    })
}

function describeDiff(program: Command, { environment, end }: CommandLine): void {
  program
    .command('diff')
    .description('compare two runs')
    .argument('<old.json>', 'results.json of the earlier run')
    .argument('<new.json>', 'results.json of the later run')
    .addOption(new Option('--json', 'print as JSON').default(false).conflicts('markdown'))
    .option('--markdown', 'print one table for a comment on a pull request', false)
    .action(async (older, newer, options) => {
      const { diff } = await import('./commands/diff.ts')
      end(await diff({ older, newer, ...options }, environment()))
    })
}
