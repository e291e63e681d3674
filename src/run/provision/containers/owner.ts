import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'

/** The label that says which process a container, a network or a volume belongs to. */
export const ownerLabel = 'org.twotoken.owner'
const projectLabel = 'com.docker.compose.project'
const projectPrefix = 'twotoken-run-'

/** The machine, the process, and when it began: a process id alone is given away again. */
export async function ownerOfThisProcess(): Promise<string> {
  return `${machine()}-${process.pid}-${await beginningOf(process.pid)}`
}

/** The name of the compose project that a process brings up; it leads back to its owner. */
export function projectOf(owner: string): string {
  return projectPrefix + owner
}

export interface Belonging {
  readonly labels: Readonly<Record<string, string>> | null | undefined
  /** Seconds since 1970. */
  readonly createdAt: number
}

const dayS = 86_400

/** Whether something was made by a twotoken that is there no more. What another machine made is left alone for a day. */
export async function isOrphan({ labels, createdAt }: Belonging): Promise<boolean> {
  const owner = ownerIn(labels ?? {})
  const [, place, pid, beginning] = /^([0-9a-f]{8})-(\d+)-(\d+)$/.exec(owner ?? '') ?? []
  if (place === undefined || beginning === undefined) return false
  if (place !== machine()) return Date.now() / 1000 - createdAt > dayS
  return (await beginningOf(Number(pid))) !== beginning
}

function ownerIn(labels: Readonly<Record<string, string>>): string | undefined {
  const project = labels[projectLabel]
  return (
    labels[ownerLabel] ??
    (project?.startsWith(projectPrefix) ? project.slice(projectPrefix.length) : undefined)
  )
}

function machine(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
}

/** When a process began, in the system's own ticks; `gone` where there is no such process, 0 where nobody can say. */
async function beginningOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
  } catch {
    return isRunning(pid) ? '0' : 'gone'
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
