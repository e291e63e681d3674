import type { Engine } from './engine.ts'
import { type Belonging, isOrphan } from './owner.ts'

/** One thing that an engine holds for a twotoken, and how it is removed. */
interface Held extends Belonging {
  remove(): Promise<unknown>
}

/**
 * Removes what a twotoken that was killed has left: containers first, since they hold networks and volumes.
 * @returns how many things were removed
 */
export async function sweep({ docker }: Engine): Promise<number> {
  const containers = await docker.listContainers({ all: true })
  const swept = await removed(
    containers.map(({ Id, Labels, Created }) => ({
      labels: Labels,
      createdAt: Created,
      remove: () => docker.getContainer(Id).remove({ force: true, v: true }),
    })),
  )
  const [networks, { Volumes }] = await Promise.all([docker.listNetworks(), docker.listVolumes()])
  const rest: Held[] = [
    ...networks.map(({ Id, Labels, Created }) => ({
      labels: Labels,
      createdAt: secondsOf(Created),
      remove: () => docker.getNetwork(Id).remove(),
    })),
    ...(Volumes ?? []).map(({ Name, Labels, ...volume }) => ({
      labels: Labels,
      createdAt: secondsOf((volume as { CreatedAt?: string }).CreatedAt),
      remove: () => docker.getVolume(Name).remove(),
    })),
  ]
  return swept + (await removed(rest))
}

async function removed(held: readonly Held[]): Promise<number> {
  const gone = await Promise.all(
    held.map(async (thing) => {
      if (!(await isOrphan(thing))) return false
      // Another twotoken may sweep at the same moment.
      return await thing.remove().then(
        () => true,
        () => false,
      )
    }),
  )
  return gone.filter(Boolean).length
}

function secondsOf(date: string | undefined): number {
  return date === undefined ? 0 : Date.parse(date) / 1000
}
