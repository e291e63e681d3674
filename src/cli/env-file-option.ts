import { resolve } from 'node:path'
import { env } from 'node:process'
import type { Command } from 'commander'
import { envFileVariable } from '../configuration/env-file.ts'

/** Lets a command that reads a configuration take values for its variables from a file that is named. */
export function describeEnvFile(command: Command): void {
  command
    .option('--env-file <file>', 'values for variables, instead of .env beside the configuration')
    .option('--no-env-file', 'read no .env')
    .hook('preAction', () => {
      const { envFile } = command.opts<{ envFile?: string | false }>()
      if (envFile !== undefined) env[envFileVariable] = envFile === false ? '' : resolve(envFile)
    })
}
