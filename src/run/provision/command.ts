import { TwotokenError } from '../../base/errors.ts'
import { disarmLabels } from '../../base/evidence/mask/labels.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { givenAdvice, givenEnvironment } from '../../base/given-environment.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import { startProcessGroup } from './process-group.ts'
import type { ProvisionedStack } from './provisioned-stack.ts'
import { createOutputQuote } from './quote-output.ts'
import { type AddressedPart, addressesOf, listSilent, waitForAddresses } from './wait-for-addresses.ts'

export interface CommandStart {
  readonly command: string
  readonly readyTimeoutSeconds: number
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  readonly contacted: readonly AddressedPart[] | undefined
}

/** A service needs the keys that the file is filled from: a backend is given the key of the mint in the same job. */
function environmentOf(
  environment: NodeJS.ProcessEnv,
  configuration: Configuration,
  command: string,
): NodeJS.ProcessEnv {
  const names = [...configuration.environment, ...configuration.referredVariables]
  return givenEnvironment(environment, { environment: names }, command)
}

/** How long the command has to end by itself when the run is over. */
const graceMs = 5_000

/**
 * Runs `start.command` in the folder of the configuration until the run is over. It is ready when every configured
 * address answers.
 * @throws TwotokenError `precondition`, with the last lines of its output
 */
export async function startByCommand(
  configuration: Configuration,
  { command, readyTimeoutSeconds, environment, signal, contacted }: CommandStart,
): Promise<ProvisionedStack> {
  const addresses = addressesOf(configuration, contacted)
  if (addresses.length > 0 && (await listSilent(addresses)).length === 0)
    throw new TwotokenError(
      'precondition',
      `${addresses.map(({ key, url }) => `${key} (${url})`).join(' and ')} already responded before start.command ran: stop the server there, choose another port, or remove start.command`,
    )
  const redactor = createRedactor()
  registerSecrets(configuration, redactor)
  const quote = createOutputQuote(configuration, redactor)
  const program = startProcessGroup({
    file: '/bin/sh',
    args: ['-c', command],
    directory: configuration.directory,
    environment: environmentOf(environment, configuration, command),
  })
  try {
    const isOver = () => program.state() !== null
    const silent = await waitForAddresses(addresses, { seconds: readyTimeoutSeconds, isOver, signal })
    if (silent.length > 0 || isOver()) {
      const what = program.state() ?? `did not start ${silent.join('; ')} within ${readyTimeoutSeconds} s`
      throw new TwotokenError(
        'precondition',
        `start.command ${what}; expected it to stay in the foreground and to respond at every configured address: run it by hand in ${configuration.directory}; ${givenAdvice}, or that a value of the file is taken from${quote(program.printed())}`,
      )
    }
  } catch (error) {
    await program.stop(graceMs)
    throw error
  }
  return {
    configuration,
    look: async () => [
      {
        part: 'command',
        state: program.state() ?? 'running',
        log: redactor.text(disarmLabels(program.printed())),
      },
    ],
    readLogs: async () => [{ name: 'command', text: program.printed() }],
    [Symbol.asyncDispose]: () => program.stop(graceMs),
  }
}
