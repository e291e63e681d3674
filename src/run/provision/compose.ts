import { dirname } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import { identifyProcess } from '../../base/process-identity.ts'
import { commandGraceMs } from '../../base/times.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { connectEngine, type Engine } from './engine/engine.ts'
import { nameProject, removeOrphans } from './engine/orphans.ts'
import { readContainers, readLog, watchContainer } from './engine/watched-container.ts'
import { startProcessGroup } from './process-group.ts'
import type { HowToStart, ProvisionedStack } from './provisioned-stack.ts'
import { createOutputQuote } from './quote-output.ts'
import { addressesOf, waitForAddresses } from './wait-for-addresses.ts'

/**
 * Brings a compose file up as its own project, which takes its networks and volumes with it.
 * @throws TwotokenError `precondition`, with the last lines of the output
 */
export async function startByCompose(
  configuration: Configuration,
  compose: string,
  { readyTimeoutSeconds, environment, signal, contacted }: HowToStart,
): Promise<ProvisionedStack> {
  const engine = await connectEngine()
  await removeOrphans(engine)
  const project = nameProject(await identifyProcess())
  const quote = createOutputQuote(configuration, compose)
  const run = async (args: readonly string[], stop?: AbortSignal) => {
    const program = startProcessGroup({
      file: 'docker',
      args: ['compose', ...args],
      directory: dirname(compose),
      environment,
    })
    const end = () => void program.stop(commandGraceMs)
    stop?.addEventListener('abort', end, { once: true })
    const how = await program.ended
    stop?.removeEventListener('abort', end)
    stop?.throwIfAborted()
    return { isOk: how === 'exited with code 0', printed: program.printed() }
  }
  const file = ['--file', compose, '--project-name', project]
  const down = async () => {
    await run([...file, '--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '1'])
  }
  const failed = (what: string, printed: string) =>
    new TwotokenError(
      'precondition',
      `start.compose ${what}; expected "docker compose --file ${compose} up --build --wait" to start it: run that by hand${quote(printed)}`,
    )

  const version = await run(['version'], signal)
  if (!version.isOk)
    throw new TwotokenError(
      'precondition',
      'Docker Compose v2 is not installed: install the compose plugin of Docker, so that "docker compose version" works',
    )
  const checked = await run([...file, 'config', '--quiet'], signal)
  if (!checked.isOk) throw failed('is not a valid compose file', checked.printed)
  try {
    const wait = ['--wait', '--wait-timeout', String(Math.ceil(readyTimeoutSeconds))]
    const up = await run([...file, 'up', '--build', ...wait], signal)
    if (!up.isOk) throw failed('did not start', up.printed + (await readAllLogs(engine, project)))
    const silent = await waitForAddresses(addressesOf(configuration, contacted), {
      seconds: readyTimeoutSeconds,
      isOver: () => hasFailed(engine, project),
      signal,
    })
    if (silent.length > 0) {
      const late = `started, but did not respond within ${readyTimeoutSeconds} s at ${silent.join('; ')}`
      const how = (await hasFailed(engine, project)) ? 'did not start' : late
      throw failed(how, await readAllLogs(engine, project))
    }
  } catch (error) {
    await down()
    throw error
  }
  const containers = await listContainers(engine, project)
  const watched = await Promise.all(
    containers.map(async ({ id, ...one }) => ({ ...one, ...(await watchContainer(engine, id)) })),
  )
  return { configuration, ...readContainers(watched), [Symbol.asyncDispose]: down }
}

/** Compose takes a container for started that runs for a moment and then fails. */
async function hasFailed(engine: Engine, project: string): Promise<boolean> {
  const containers = await listContainers(engine, project)
  return containers.some(({ state }) => /^ended: Exited \((?!0\))/.test(state))
}

async function listContainers({ docker }: Engine, project: string) {
  const label = [`com.docker.compose.project=${project}`]
  const found = await docker.listContainers({ all: true, filters: { label } })
  return found.map(({ Id, Image, Labels, State, Status }) => ({
    id: Id,
    image: Image,
    part: Labels['com.docker.compose.service'] ?? Id.slice(0, 12),
    state: State === 'exited' ? `ended: ${Status}` : State,
  }))
}

async function readAllLogs(engine: Engine, project: string): Promise<string> {
  const containers = await listContainers(engine, project)
  const logs = await Promise.all(
    containers.map(async ({ id, part, state }) => `${part} (${state}):\n${await readLog(engine, id)}`),
  )
  return `\n${logs.join('\n')}`
}
