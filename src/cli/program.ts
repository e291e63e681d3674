import { existsSync } from 'node:fs'
import { Argument, Command, CommanderError } from 'commander'
import { exitCodeOf, TwotokenError } from '../base/errors.ts'
import { version } from '../base/version.ts'
import { auditFormats, offerFormats, runFormats } from '../reports/formats.ts'
import { createEnvironment } from './environment.ts'
import { collect, parseCredential, parseList, parseWholeNumber } from './option-values.ts'
import { readAhead } from './read-ahead.ts'
import { handleUncaughtErrors, printError } from './uncaught-errors.ts'

const configurationHere = (): string | undefined =>
  existsSync('twotoken.yaml') ? 'twotoken.yaml' : undefined

/** Parses the command line, runs one command and returns the exit code. Never rejects. */
export async function main(argv: readonly string[]): Promise<number> {
  handleUncaughtErrors()
  let exitCode = 0
  const environment = () => createEnvironment(process, argv)

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
    .option('--suite <names>', 'only these: mint,backend,signaling,flow,client,bundle', parseList)
    .option('--only <ids>', 'only these requirements', parseList)
    .option('--out <folder>', 'where results.json and the report go (default: twotoken-results)')
    .option('--strict', 'a warning counts as a violation', false)
    .option('--no-wait', 'leave the cases untested that wait for a token to expire')
    .option('--keep-going', 'judge what can be judged although a part cannot be reached', false)
    .option('--json', 'print results.json on stdout', false)
    .option('--with-contracts', 'verify the Pact contracts as well', false)
    .option('--containers', 'run the reference, or what takes the place of its parts, in containers', false)
    .option(
      '--max-mints <number>',
      'have no more calling tokens issued; what would cost more stays untested',
      parseWholeNumber,
    )
    .option('--observe', 'guide somebody through the steps on a device, and judge its traffic', false)
    .option('--seed <number>', 'repeat the made-up ids and delays of another run', parseWholeNumber)
    .option('--shard <index/count>', "this machine's share of the requirements, such as 2/4")
    .action(async ({ suite, config = configurationHere(), ...options }) => {
      const { run } = await import('./commands/run.ts')
      const chosen = {
        ...(suite === undefined ? {} : { suites: suite }),
        ...(config === undefined ? {} : { config }),
      }
      exitCode = await run({ ...options, ...chosen }, environment())
    })

  program
    .command('serve')
    .description('start the reference stack, or a variant of it, and stay up')
    .argument('[parts]', 'mint,backend,signaling,console,app (default: all)', parseList)
    .option(
      '--port-base <number>',
      'the mint listens there, the others on the ports behind it',
      parseWholeNumber,
    )
    .option('--variant <name>', 'a broken or a conforming variant')
    .option('--json', 'print one JSON object once it is up', false)
    .action(async (parts, options) => {
      const { serve } = await import('./commands/serve.ts')
      exitCode = await serve({ ...options, ...(parts === undefined ? {} : { parts }) }, environment())
    })

  program
    .command('verify')
    .description('verify the Pact contracts against any provider')
    .addArgument(new Argument('<role>', 'the provider').choices(['mint', 'backend']))
    .option('--url <url>', "the mint's base URL, or the backend's token route")
    .option('--config <file>', 'a twotoken.yaml (default: the one in this folder, where there is one)')
    .option('--credential <name=value>', 'apiKey, session, …; the value may be env:NAME', parseCredential, {})
    .option('--method <method>', 'POST or GET, of the token route')
    .option('--pact <file>', 'a pact, a folder or an address; may be repeated', collect, [])
    .option('--provider <name>', 'what the provider is called in the pacts')
    .option('--state-url <url>', 'sets up the provider states')
    .option('--state-command <command>', 'sets up the provider states')
    .option('--broker-url <url>', 'a Pact Broker')
    .option('--broker-token <token>', 'its token (default: PACT_BROKER_TOKEN)')
    .option('--selector <json>', 'a consumer version selector; may be repeated', collect, [])
    .option('--enable-pending', 'failures of pacts that were never verified before are warnings', false)
    .option('--publish', 'publish the verdict to the broker', false)
    .option('--provider-version <version>')
    .option('--provider-branch <branch>')
    .option('--build-url <url>')
    .option('--out <folder>', 'where results.json and the reports go (default: twotoken-results)')
    .option('--strict', 'a warning counts as a violation', false)
    .option('--json', 'print results.json on stdout', false)
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
      exitCode = await verify(
        {
          role,
          ...others,
          credentials: given,
          ...(config === undefined ? {} : { config }),
          ...(pact.length === 0 ? {} : { pacts: pact }),
          ...(brokerUrl === undefined ? {} : { broker }),
        },
        environment(),
      )
    })

  program
    .command('merge')
    .description('put the results of the shards of a run together')
    .argument('<results...>', 'a results.json, or a folder that holds some')
    .option('--out <folder>', 'where results.json and the report go (default: twotoken-results)')
    .option('--strict', 'a warning counts as a violation', false)
    .option('--json', 'print results.json on stdout', false)
    .action(async (paths, options) => {
      const { merge } = await import('./commands/merge.ts')
      exitCode = await merge({ paths, ...options }, environment())
    })

  program
    .command('audit')
    .description('prove that a bundle ships no server key, no calling JWT and no call of the mint endpoint')
    .argument('<path...>')
    .option('--format <name>', offerFormats(auditFormats))
    .option('--out <file>', 'where to write it (default: stdout)')
    .option('--baseline <file>', 'findings that are known and accepted')
    .option('--mint-host <host>', "the mint's host, or host:port")
    .option(
      '--like <token>',
      'a token that the mint issued, or the results.json of a run (repeatable)',
      collect,
      [],
    )
    .option('--config <file>', "a twotoken.yaml, for the mint's host and the shape of keys")
    .option('--strict', 'a warning counts as a violation', false)
    .option('--allow-incomplete', 'what could not be read is accepted', false)
    .option('--self-test', 'plant canaries into a copy in memory, and say which would be found', false)
    .action(async (paths, { config, selfTest, ...options }) => {
      const ahead = selfTest ? null : readAhead(paths[0] ?? '')
      const { audit, configuredAudit } = await import('./commands/audit.ts')
      const configured = await configuredAudit(config, environment())
      if (selfTest) {
        const { auditSelfTest } = await import('./commands/audit-self-test.ts')
        const { keyPrefix: prefix } = { ...configured, ...options }
        const chosen = { ...options, paths, ...(prefix === undefined ? {} : { prefix }) }
        exitCode = await auditSelfTest(chosen, environment())
        return
      }
      exitCode = await audit({ ...configured, ...options, paths, ahead }, environment())
    })

  program
    .command('doctor')
    .description('check the configuration and reachability before anything is judged')
    .option('--config <file>', 'a twotoken.yaml')
    .action(async (options) => {
      const { doctor } = await import('./commands/doctor.ts')
      exitCode = await doctor(options, environment())
    })

  program
    .command('detect')
    .description(
      'find out how an implementation does what the specification leaves open, and print it as a profile',
    )
    .option('--config <file>', 'a twotoken.yaml (default: the one in this folder)')
    .option('--write', 'write what was found into the file', false)
    .option('--force', 'with --write: replace a profile that is there', false)
    .option('--try <yaml>', 'a carriage to try first, as in a profile; may be repeated', collect, [])
    .option('--wait', 'wait for a token to expire, to measure the leeway', false)
    .option('--max-mints <number>', 'give up rather than mint more tokens', parseWholeNumber)
    .option('--json', 'print what was found as one JSON object', false)
    .action(async ({ try: hints, ...options }) => {
      const { detect } = await import('./commands/detect.ts')
      exitCode = await detect({ ...options, hints }, environment())
    })

  program
    .command('init')
    .description('write a commented twotoken.yaml')
    .option('--force', 'overwrite one that is there', false)
    .action(async ({ force }) => {
      const { initialise } = await import('./commands/init.ts')
      const { withTerminal } = await import('./output/terminal.ts')
      const done = await withTerminal((dialogue) =>
        initialise({ directory: process.cwd(), force, ...dialogue }),
      )
      process.stdout.write(`${done}\n`)
    })

  program
    .command('list')
    .description('the requirements')
    .option('--json', 'as data', false)
    .action(async (options) => {
      const { list } = await import('./commands/list.ts')
      exitCode = await list(options, environment())
    })

  program
    .command('explain')
    .description('one requirement: its clause, its reason, what it needs and how it fails')
    .argument('<id>')
    .action(async (id) => {
      const { explain } = await import('./commands/explain.ts')
      exitCode = await explain({ id }, environment())
    })

  program
    .command('report')
    .description('render a result file again')
    .argument('<results.json>')
    .requiredOption('--format <name>', offerFormats(runFormats))
    .option('--out <file>', 'where to write it (default: stdout)')
    .action(async (file, options) => {
      const { report } = await import('./commands/report.ts')
      exitCode = await report({ file, ...options }, environment())
    })

  program
    .command('diff')
    .description('what changed between two runs')
    .argument('<old.json>', 'the results.json of the earlier run')
    .argument('<new.json>', 'that of the later one')
    .option('--json', 'print it as JSON on stdout', false)
    .action(async (older, newer, options) => {
      const { diff } = await import('./commands/diff.ts')
      exitCode = await diff({ older, newer, ...options }, environment())
    })

  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? 0 : exitCodeOf(new TwotokenError('usage', ''))
    printError(error)
    return exitCodeOf(error)
  }
}
