import { dirname } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import { addressesOf, untilAllAnswer } from './addresses.ts'
import { connectEngine, type Engine } from './containers/engine.ts'
import { watchEvents } from './containers/events.ts'
import { logOf } from './containers/log.ts'
import { ownerOfThisProcess, projectOf } from './containers/owner.ts'
import { sweep } from './containers/sweep.ts'
import { lastLines } from './last-lines.ts'
import { startProgram } from './output.ts'
import type { Started } from './started.ts'

export interface ComposeStart {
  /** Absolute path of the compose file. */
  readonly compose: string
  readonly readyTimeoutSeconds: number
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

const graceMs = 5_000

/**
 * Brings a compose file up as a project of its own, and takes it down with its networks and volumes.
 * @throws TwotokenError `precondition`, with what was printed last
 */
export async function startByCompose(
  configuration: Configuration,
  { compose, readyTimeoutSeconds, environment, signal }: ComposeStart,
): Promise<Started> {
  const engine = await connectEngine()
  await sweep(engine)
  const project = projectOf(await ownerOfThisProcess())
  const redactor = createRedactor()
  registerSecrets(configuration, redactor)
  const run = async (args: readonly string[], stop?: AbortSignal) => {
    const program = startProgram({
      file: 'docker',
      args: ['compose', ...args],
      directory: dirname(compose),
      environment,
    })
    const end = () => void program.stop(graceMs)
    stop?.addEventListener('abort', end, { once: true })
    const how = await program.ended
    stop?.removeEventListener('abort', end)
    stop?.throwIfAborted()
    return { isOk: how === 'ended with exit code 0', printed: program.printed() }
  }
  const file = ['--file', compose, '--project-name', project]
  const down = async () => {
    await run([...file, '--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '1'])
  }
  const refuse = async (what: string, printed: string) =>
    new TwotokenError(
      'precondition',
      `start.compose ${what}; expected "docker compose --file ${compose} up --build --wait" to bring it up: run that by hand${lastLines(printed, redactor.text)}`,
    )

  const version = await run(['version'], signal)
  if (!version.isOk)
    throw new TwotokenError(
      'precondition',
      'Docker Compose v2 is not there; expected "docker compose version" to answer: install the compose plugin of Docker',
    )
  const checked = await run([...file, 'config', '--quiet'], signal)
  if (!checked.isOk) throw await refuse('is no compose file that holds', checked.printed)
  try {
    const wait = ['--wait', '--wait-timeout', String(Math.ceil(readyTimeoutSeconds))]
    const up = await run([...file, 'up', '--build', ...wait], signal)
    if (!up.isOk) throw await refuse('did not come up', up.printed + (await logsOfAll(engine, project)))
    const silent = await untilAllAnswer(addressesOf(configuration), {
      seconds: readyTimeoutSeconds,
      isOver: () => false,
      signal,
    })
    if (silent.length > 0)
      throw await refuse(
        `came up, but did not answer within ${readyTimeoutSeconds} s at ${silent.join('; ')}`,
        await logsOfAll(engine, project),
      )
  } catch (error) {
    await down()
    throw error
  }
  const containers = await containersOf(engine, project)
  const watching = await watchEvents(
    engine,
    containers.map(({ id }) => id),
  )
  return {
    configuration,
    look: async () => {
      const now = await containersOf(engine, project)
      return Promise.all(
        containers.map(async ({ id, part, image }) => ({
          part,
          image,
          state: now.find((container) => container.id === id)?.state ?? 'was removed',
          events: watching.of(id),
          log: redactor.text(await logOf(engine, id)),
        })),
      )
    },
    async [Symbol.asyncDispose]() {
      watching[Symbol.dispose]()
      await down()
    },
  }
}

async function containersOf({ docker }: Engine, project: string) {
  const label = [`com.docker.compose.project=${project}`]
  const found = await docker.listContainers({ all: true, filters: { label } })
  return found.map(({ Id, Image, Labels, State, Status }) => ({
    id: Id,
    image: Image,
    part: Labels['com.docker.compose.service'] ?? Id.slice(0, 12),
    state: State === 'exited' ? `ended: ${Status}` : State,
  }))
}

/** What the containers that are not well have printed. */
async function logsOfAll(engine: Engine, project: string): Promise<string> {
  const containers = await containersOf(engine, project)
  const logs = await Promise.all(
    containers.map(async ({ id, part, state }) => `${part} (${state}):\n${await logOf(engine, id)}`),
  )
  return `\n${logs.join('\n')}`
}
