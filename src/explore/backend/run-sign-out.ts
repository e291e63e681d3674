import { givenAdvice, givenEnvironment } from '../../base/given-environment.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { runCommand } from '../../configuration/command.ts'
import type { CommonContext } from '../../requirement/needs.ts'

interface SignOut {
  readonly command: string
  readonly session: string
}

/** Runs `hooks.signOut` as a step of a story. Throws `ControlLost` where the command fails. */
export async function runSignOut(
  { configuration, redactor }: Pick<CommonContext, 'configuration' | 'redactor'>,
  environment: NodeJS.ProcessEnv,
  { command, session }: SignOut,
): Promise<void> {
  const outcome = await runCommand(command, {
    directory: configuration.directory,
    environment: { ...givenEnvironment(environment, configuration, command), TWOTOKEN_SESSION: session },
  })
  if ('failure' in outcome)
    throw new ControlLost(redactor.printed(`hooks.signOut ${outcome.failure}; ${givenAdvice}`))
}
