import { givenAdvice, givenEnvironment } from '../../base/given-environment.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { consoleCommandSeconds } from '../../base/times.ts'
import { runCommand } from '../../configuration/command.ts'
import type { ConsoleTokens } from '../../roles/mint/console-tokens.ts'
import type { RunServices } from './run-services.ts'

const shortestToken = 20

/** The command of `mint.consoleToken`; undefined where there is none. */
export function openConsoleTokens(
  { configuration, secrets }: Pick<RunServices, 'configuration' | 'secrets'>,
  environment: NodeJS.ProcessEnv,
): ConsoleTokens | undefined {
  const command = configuration.mint?.consoleToken?.command
  if (command === undefined) return undefined
  return {
    async fetch(userId, ttlSeconds) {
      const outcome = await runCommand(command, {
        directory: configuration.directory,
        environment: {
          ...givenEnvironment(environment, configuration, command),
          TWOTOKEN_USER_ID: userId,
          TWOTOKEN_TTL_SECONDS: ttlSeconds === undefined ? undefined : String(ttlSeconds),
        },
        commandSeconds: consoleCommandSeconds,
      })
      if ('failure' in outcome) throw new ControlLost(`mint.consoleToken ${outcome.failure}; ${givenAdvice}`)
      const { output } = outcome
      if (/\s/.test(output) || output.length < shortestToken)
        throw new ControlLost(
          `mint.consoleToken has a command that printed ${output.length} characters${/\s/.test(output) ? ' with blanks' : ''}, expected a calling token: have it print the token alone`,
        )
      secrets.learn('calling-jwt', output)
      return output
    },
  }
}
