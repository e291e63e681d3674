import { TwotokenError } from '../../base/errors.ts'
import { givenAdvice, givenEnvironment } from '../../base/given-environment.ts'
import { commandGraceMs } from '../../base/times.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { startSupervised } from './process-group.ts'
import type { HowToStart, ProvisionedStack } from './provisioned-stack.ts'
import { createOutputQuote } from './quote-output.ts'
import { addressesOf, listSilent, noSuchHost, waitForAddresses } from './wait-for-addresses.ts'

/**
 * Runs `start.command` until the run is over. It is ready when every address answers; where it ends then, it starts again.
 * @throws TwotokenError `precondition`, with the last lines of its output
 */
export async function startByCommand(
  configuration: Configuration,
  command: string,
  { readyTimeoutSeconds, environment, signal, contacted }: HowToStart,
): Promise<ProvisionedStack> {
  const refused = (what: string) => new TwotokenError('precondition', what)
  const addresses = addressesOf(configuration, contacted)
  if (addresses.length > 0 && (await listSilent(addresses)).length === 0)
    throw refused(
      `${addresses.map(({ key, url }) => `${key} (${url})`).join(' and ')} already responded before start.command ran: stop the server there, choose another port, or remove start.command`,
    )
  const quote = createOutputQuote(configuration)
  // A service needs the keys that the file is filled from: a backend is given the key of the mint in the same job.
  const names = [...configuration.environment, ...configuration.referredVariables]
  const program = startSupervised({
    file: '/bin/sh',
    args: ['-c', command],
    directory: configuration.directory,
    environment: givenEnvironment(environment, { environment: names }, command),
  })
  try {
    const isOver = () => program.state() !== null
    const silent = await waitForAddresses(addresses, { seconds: readyTimeoutSeconds, isOver, signal })
    const unresolved = isOver() ? [] : silent.filter((one) => one.endsWith(noSuchHost))
    if (unresolved.length > 0)
      throw refused(`${unresolved.join('; ')}: correct the address, or the DNS of this machine`)
    if (silent.length > 0 || isOver()) {
      const what = program.state() ?? `did not start ${silent.join('; ')} within ${readyTimeoutSeconds} s`
      throw refused(
        `start.command ${what}; expected it to stay in the foreground and to respond at every configured address: run it by hand in ${configuration.directory}; ${givenAdvice} or used in the file as \${NAME}${quote(program.printed())}`,
      )
    }
  } catch (error) {
    await program.stop(commandGraceMs)
    throw error
  }
  program.supervise()
  return {
    configuration,
    look: async () => [{ part: 'command', state: program.state() ?? 'running', printed: program.printed() }],
    async restart() {
      await program.restart()
      const waiting = { seconds: readyTimeoutSeconds, isOver: () => false, signal }
      return (await waitForAddresses(addresses, waiting)).length === 0
    },
    [Symbol.asyncDispose]: () => program.stop(commandGraceMs),
  }
}
