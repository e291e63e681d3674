import { resolve } from 'node:path'
import { env } from 'node:process'
import { type Command, Option } from 'commander'
import { envFileVariable } from '../configuration/env-file.ts'

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
