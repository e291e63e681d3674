import { givenAdvice, givenEnvironment } from '../base/given-environment.ts'
import { ControlLost } from '../base/inconclusive.ts'
import { runCommand } from '../configuration/command.ts'
import type { CommonContext } from '../requirement/needs.ts'

export interface HookRun {
  readonly name: 'signOut' | 'moveClock'
  readonly command: string
  /** Environment variables that the command reads. */
  readonly told: Readonly<Record<string, string>>
}

/** Runs a hook as a step of a story. Throws `ControlLost` where the command fails. */
export async function runStoryHook(
  { configuration, redactor }: Pick<CommonContext, 'configuration' | 'redactor'>,
  environment: NodeJS.ProcessEnv,
  { name, command, told }: HookRun,
): Promise<void> {
  const outcome = await runCommand(command, {
    directory: configuration.directory,
    environment: { ...givenEnvironment(environment, configuration, command), ...told },
  })
  if ('failure' in outcome)
    throw new ControlLost(redactor.printed(`hooks.${name} ${outcome.failure}; ${givenAdvice}`))
}
