import { hasEnded, identityPattern } from '../../../base/process-identity.ts'
import type { Engine } from './engine.ts'

/** The label that says which process a container, a network or a volume belongs to. */
export const ownerLabel = 'org.twotoken.owner'
const projectLabel = 'com.docker.compose.project'
const projectPrefix = 'twotoken-run-'

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

/** Says whether its owner has ended. Objects of another machine, or of another container, are kept for a day. */
export async function isOrphan({ labels, createdAt }: Owned): Promise<boolean> {
  const project = labels?.[projectLabel]
  const ofProject = project?.startsWith(projectPrefix) ? project.slice(projectPrefix.length) : undefined
  const owner = labels?.[ownerLabel] ?? ofProject
  if (owner === undefined || !isIdentity.test(owner)) return false
  return (await hasEnded(owner)) ?? Date.now() / 1000 - createdAt > dayS
}

/** Removes what killed runs have left, containers first: they use networks and volumes. Returns how many. */
export async function removeOrphans({ docker }: Engine): Promise<number> {
  let removed = 0
  const sweep = async (labels: Owned['labels'], created: string | number | undefined, remove: Remove) => {
    const createdAt = typeof created === 'number' ? created : Date.parse(created ?? '1970') / 1000
    if (!(await isOrphan({ labels, createdAt }))) return
    // Another run may remove it at the same moment.
    await remove().then(
      () => (removed += 1),
      () => undefined,
    )
  }
  await Promise.all(
    (await docker.listContainers({ all: true })).map(({ Id, Labels, Created }) =>
      sweep(Labels, Created, () => docker.getContainer(Id).remove({ force: true, v: true })),
    ),
  )
  const [networks, { Volumes }] = await Promise.all([docker.listNetworks(), docker.listVolumes()])
  await Promise.all([
    ...networks.map(({ Id, Labels, Created }) =>
      sweep(Labels, Created, () => docker.getNetwork(Id).remove()),
    ),
    ...(Volumes ?? []).map(({ Name, Labels, ...volume }) =>
      sweep(Labels, (volume as { CreatedAt?: string }).CreatedAt, () => docker.getVolume(Name).remove()),
    ),
  ])
  return removed
}

type Remove = () => Promise<unknown>
