import type { ProvisionedStack } from '../provisioned-stack.ts'
import type { Engine } from './engine.ts'

export interface ContainerState {
  readonly isRunning: boolean
  /** For a reader: "running", "paused", "exited with code 1", … */
  readonly text: string
  /** The result of the image's own health check: "none" where it has none. */
  readonly health: string
}

export interface WatchedContainer {
  state(): Promise<ContainerState>
  log(): Promise<string>
}

const keptLines = 2000
const headerBytes = 8

/** Its state is compared with the one now: a later start is a restart. */
export async function watchContainer(engine: Engine, id: string): Promise<WatchedContainer> {
  const first = await engine.docker.getContainer(id).inspect()
  return { state: () => readState(engine, first), log: () => readLog(engine, id) }
}

export function readContainers(
  containers: readonly (WatchedContainer & { readonly part: string; readonly image: string })[],
): Pick<ProvisionedStack, 'look'> {
  return {
    look: () =>
      Promise.all(
        containers.map(async ({ part, image, state, log }) => ({
          part,
          image,
          state: (await state()).text,
          printed: await log(),
        })),
      ),
  }
}

type ContainerInspectInfo = Awaited<ReturnType<ReturnType<Engine['docker']['getContainer']>['inspect']>>

async function readState({ docker }: Engine, first: ContainerInspectInfo): Promise<ContainerState> {
  try {
    const now = await docker.getContainer(first.Id).inspect()
    const { Status, ExitCode, OOMKilled, Health, StartedAt } = now.State
    const isRunning = Status === 'running' || Status === 'paused' || Status === 'restarting'
    const why = OOMKilled ? ' (out of memory)' : ''
    const disturbances = [
      ...(StartedAt === first.State.StartedAt ? [] : ['was restarted']),
      ...(countNetworks(now) < countNetworks(first) ? ['was disconnected from its network'] : []),
    ]
    const text = disturbances.length === 0 || Status !== 'running' ? Status : disturbances.join(' and ')
    return {
      isRunning,
      text: isRunning ? text : `exited with code ${ExitCode}${why}`,
      health: Health?.Status ?? 'none',
    }
  } catch {
    return { isRunning: false, text: 'was removed', health: 'none' }
  }
}

function countNetworks({ NetworkSettings }: ContainerInspectInfo): number {
  return Object.keys(NetworkSettings.Networks).length
}

/** The output of a container, both streams in the order of their arrival; empty where the engine does not give it. */
export async function readLog({ docker }: Engine, id: string): Promise<string> {
  try {
    const raw = await docker
      .getContainer(id)
      .logs({ follow: false, stdout: true, stderr: true, tail: keptLines })
    return demultiplex(Buffer.isBuffer(raw) ? raw : Buffer.from(String(raw)))
  } catch {
    return ''
  }
}

/** Each piece of output comes behind a header: the stream, three zero bytes, and its length. */
function demultiplex(raw: Buffer): string {
  const pieces: Buffer[] = []
  let at = 0
  while (at + headerBytes <= raw.length) {
    const stream = raw[at] ?? 0
    // A container with a terminal has one stream and no headers.
    if (stream > 2 || raw.readUIntBE(at + 1, 3) !== 0) return raw.toString('utf8')
    const length = raw.readUInt32BE(at + 4)
    pieces.push(raw.subarray(at + headerBytes, at + headerBytes + length))
    at += headerBytes + length
  }
  return Buffer.concat(pieces).toString('utf8')
}
