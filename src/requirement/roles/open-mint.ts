import { givenAdvice, givenEnvironment } from '../../base/given-environment.ts'
import type { HttpClient } from '../../base/http/client.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { consoleCommandSeconds } from '../../base/times.ts'
import { runCommand } from '../../configuration/command.ts'
import type { MintBudget } from '../../roles/mint/budget.ts'
import { createMint, type Mint } from '../../roles/mint/driver.ts'
import { createExpiry } from '../../roles/mint/expiry.ts'
import type { ConsoleTokens, Provided } from '../needs.ts'
import type { RunServices } from './run-services.ts'

/** @param wait `false` leaves the expiry cases untested */
export function openMintRole(services: RunServices, wait: boolean, environment: NodeJS.ProcessEnv) {
  const { clock, configuration, http, mintBudget } = services
  const { limits, mint: { otherProjectKey, keys } = {} } = configuration
  const mint = createMintDriver(services, http, mintBudget)
  return {
    mint,
    expiry: createExpiry({ mint: mint ?? null, clock, limits, wait }),
    otherProjectKey,
    trialEndedKey: keys?.trialEnded,
    suspendedKey: keys?.suspended,
    cappedKey: keys?.capped,
    consoleTokens: openConsoleTokens(services, environment),
  } satisfies Provided
}

/** The mint of the configuration, asked through this client at the cost of this budget; undefined where there is none. */
export function createMintDriver(
  { configuration: { mint, token }, secrets, clock, newUser, paces }: RunServices,
  http: HttpClient,
  budget: MintBudget,
  isUrgent = false,
): Mint | undefined {
  const limiter = paces.mint
  return mint && createMint({ mint, token, http, secrets, clock, newUser, budget, limiter, isUrgent })
}

const shortestToken = 20

/** The command of `mint.consoleToken`; undefined where there is none. */
function openConsoleTokens(
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
