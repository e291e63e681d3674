import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { TwotokenError } from '../base/errors.ts'
import { auditFormats, offerFormats } from '../reports/formats.ts'
import { parseReport } from './asked-reports.ts'
import { describeEnvFile } from './env-file-option.ts'
import { createEnvironment } from './environment.ts'
import { collect, parseCount, parseDay, parsePositive } from './option-values.ts'

/**
 * Makes a command the audit: that of `twotoken`, and the whole of `twotoken-audit`. `end` gets the exit code of
 * `commands/audit.ts`.
 */
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
    .option('--write-baseline <file>', 'accept what is found now, with --reason and --expires')
    .option('--reason <text>', 'with --write-baseline: why it is accepted')
    .option('--expires <date>', 'with --write-baseline: the last day, such as 2027-01-31', parseDay)
    .option('--git <range>', 'audit each file that these commits of the repository here brought in')
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
    .option('--file-seconds <n>', 'longest time for one file, of a processor (default: 20)', parsePositive)
    .option('--quiet', 'show no progress', false)
    .option('--self-test', 'plant canaries in a copy in memory, and report which are found', false)
    .addOption(
      new Option(
        '--list <file>',
        'audit each path of this file (-: stdin), one a line, and write one JSON report a line; with --out, continue there',
      ).conflicts(['format', 'report', 'baseline', 'writeBaseline', 'git', 'selfTest', 'merge']),
    )
    .option('--jobs <number>', 'with --list: paths at a time (default: processors)', parseCount)
    .option('--shard <index/count>', 'with --list: only this share of the contents, such as 2/4')
    .option('--merge', 'the paths are outputs of --list: report them as one audit', false)
    .addHelpText('after', () => `\nExamples:\n${listExamples(command)}`)
    .action(async (paths, { config, selfTest, list, jobs, shard, ...options }) => {
      const { audit, configuredAudit } = await import('./commands/audit.ts')
      const configured = await configuredAudit(config, environment())
      if (list !== undefined) {
        if (paths.length > 0) throw new TwotokenError('usage', 'give either paths or --list')
        const { auditFleet } = await import('./commands/audit-fleet.ts')
        const fleet = { ...configured, ...options, list: await readList(list), jobs, shard }
        end(await auditFleet(fleet, environment()))
        return
      }
      if (jobs !== undefined || shard !== undefined)
        throw new TwotokenError('usage', '--jobs and --shard need --list')
      if (selfTest) {
        if (options.git !== undefined) throw new TwotokenError('usage', '--git has no --self-test')
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
    '--git main..HEAD',
    '--list bundles.txt --out results.ndjson',
  ]
    .map((given) => `  npx ${name} ${given}`)
    .join('\n')
}

async function readList(file: string): Promise<string> {
  if (file === '-') return await (await import('node:stream/consumers')).text(process.stdin)
  return await readFile(resolve(file), 'utf8').catch((cause: unknown) => {
    throw new TwotokenError('usage', `cannot read the list ${file}: give a file with one path a line`, cause)
  })
}
