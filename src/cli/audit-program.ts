import type { Command } from 'commander'
import { auditFormats, offerFormats } from '../reports/formats.ts'
import { createProgram, describeEnvFile, parseCommandLine } from './command-line.ts'
import { createEnvironment } from './environment.ts'
import { collect, parseDay, parsePositive, parseReport } from './option-values.ts'

/** `twotoken-audit`: `twotoken audit` as a command of its own. Returns the exit code. Never rejects. */
export function main(argv: readonly string[]): Promise<number> {
  const program = createProgram('twotoken-audit')
  return runAudit(program, program, argv)
}

/** `twotoken audit`, without the other commands: they take as long to describe as a small file takes to read. */
export function mainOfAudit(argv: readonly string[]): Promise<number> {
  const program = createProgram('twotoken')
  return runAudit(program, program.command('audit'), argv)
}

function runAudit(program: Command, audit: Command, argv: readonly string[]): Promise<number> {
  let exitCode = 0
  describeAudit(audit, argv, (code) => {
    exitCode = code
  })
  return parseCommandLine(program, argv, () => exitCode)
}

/** Makes a command the audit: that of `twotoken`, and the whole of `twotoken-audit`. `end` gets its exit code. */
export function describeAudit(
  command: Command,
  argv: readonly string[],
  end: (exitCode: number) => void,
): void {
  const environment = () => createEnvironment(process, argv)
  describeEnvFile(command)
  command
    .description('scan shipped artifacts for server keys, calling JWTs and calls to the mint endpoint')
    .argument('[path...]', 'files and folders to audit')
    .option('--format <name>', offerFormats(auditFormats))
    .option('--out <file>', 'output file (default: stdout)')
    .option(
      '--report <format=file>',
      `also write ${offerFormats(auditFormats)} to a file (repeatable)`,
      parseReport(auditFormats),
      [],
    )
    .option('--baseline <file>', 'baseline file of known and accepted findings')
    .option('--write-baseline <file>', 'accept the present findings; needs --reason, --expires')
    .option('--reason <text>', 'with --write-baseline: why it is accepted')
    .option('--expires <date>', 'with --write-baseline: the last day, such as 2027-01-31', parseDay)
    .option('--mint-host <host>', "the mint's host, or host:port")
    .option(
      '--like <token>',
      'a token issued by the mint, or the results.json of a run (repeatable)',
      collect,
      [],
    )
    .option('--config <file>', "configuration file, for the mint's host and the key format")
    .option('--strict', 'count warnings as violations', false)
    .option('--allow-incomplete', 'exit with 0 although some content could not be read', false)
    .option('--file-seconds <n>', 'most CPU seconds for one script (default: 8)', parsePositive)
    .option('--quiet', 'show no progress', false)
    .option('--self-test', 'plant canaries in a copy in memory, and report which are found', false)
    .addHelpText('after', () => `\nExamples:\n${listExamples(command)}`)
    .action(async (paths, { config, selfTest, ...options }) => {
      const { audit, configuredAudit } = await import('./commands/audit.ts')
      const configured = await configuredAudit(config, environment())
      if (selfTest) {
        const { auditSelfTest } = await import('./commands/audit-self-test.ts')
        const { keyPrefix: prefix } = { ...configured, ...options }
        const chosen = { ...options, paths, prefix }
        end(await auditSelfTest(chosen, environment()))
        return
      }
      end(await audit({ ...configured, ...options, paths }, environment()))
    })
}

function listExamples(command: Command): string {
  const name = command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`
  return [
    'dist app-release.apk',
    'dist --format sarif --out audit.sarif',
    'dist --write-baseline baseline.json --reason "revoked on the 3rd" --expires 2027-01-31',
    '--self-test app-release.apk',
  ]
    .map((given) => `  npx ${name} ${given}`)
    .join('\n')
}
