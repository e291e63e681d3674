import { hasEnded, identityPattern } from '../../../base/process-identity.ts'
import type { Engine } from './engine.ts'

/** The label that says which process a container, a network or a volume belongs to. */
export const ownerLabel = 'org.twotoken.owner'
const projectLabel = 'com.docker.compose.project'
const projectPrefix = 'twotoken-run-'

/** The name of the compose project of an owner, from which the owner can be read. */
export function nameProject(owner: string): string {
  return projectPrefix + owner
}

interface Owned {
  readonly labels: Readonly<Record<string, string>> | null | undefined
  /** Seconds since 1970. */
  readonly createdAt: number
}

const dayS = 86_400
const isIdentity = new RegExp(`^${identityPattern}$`)

/**
 * Says whether its owner has ended. Objects of another machine, or of another container, are kept for a day.
 */
export async function isOrphan({ labels, createdAt }: Owned): Promise<boolean> {
  const owner = ownerIn(labels ?? {})
  if (owner === undefined || !isIdentity.test(owner)) return false
  return (await hasEnded(owner)) ?? Date.now() / 1000 - createdAt > dayS
}

function ownerIn(labels: Readonly<Record<string, string>>): string | undefined {
  const project = labels[projectLabel]
  return (
    labels[ownerLabel] ??
    (project?.startsWith(projectPrefix) ? project.slice(projectPrefix.length) : undefined)
  )
}

/** A container, a network or a volume that belongs to a twotoken process. */
interface Removable extends Owned {
  remove(): Promise<unknown>
}

/**
 * Removes what killed runs have left: containers first, since they use networks and volumes.
 * @returns the number of removed containers, networks and volumes
 */
export async function removeOrphans({ docker }: Engine): Promise<number> {
  const containers = await docker.listContainers({ all: true })
  const containersRemoved = await removeAll(
    containers.map(({ Id, Labels, Created }) => ({
      labels: Labels,
      createdAt: Created,
      remove: () => docker.getContainer(Id).remove({ force: true, v: true }),
    })),
  )
  const [networks, { Volumes }] = await Promise.all([docker.listNetworks(), docker.listVolumes()])
  const rest: Removable[] = [
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
  return containersRemoved + (await removeAll(rest))
}

async function removeAll(resources: readonly Removable[]): Promise<number> {
  const gone = await Promise.all(
    resources.map(async (resource) => {
      if (!(await isOrphan(resource))) return false
      // Another run may remove it at the same moment.
      return await resource.remove().then(
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
