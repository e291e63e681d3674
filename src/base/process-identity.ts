import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/** A process that made something: where it runs, its id, and when it was started, since systems reuse ids. */
export type ProcessIdentity = `${string}-${number}-${string}`

/** Matches an identity inside a longer name. */
export const identityPattern = '([0-9a-f]{8})-(\\d+)-(\\d+)'
const whole = new RegExp(`^${identityPattern}$`)

export async function identifyProcess(): Promise<ProcessIdentity> {
  return `${await place()}-${process.pid}-${await startTimeOf(process.pid)}`
}

/** Says whether the process has ended; null where it runs elsewhere, or the text identifies none. */
export async function hasEnded(identity: string): Promise<boolean | null> {
  const [, where, pid, beginning] = whole.exec(identity) ?? []
  if (where === undefined || where !== (await place())) return null
  return (await startTimeOf(Number(pid))) !== beginning
}

let known: Promise<string> | undefined

/** The machine and the namespace of process ids: a container has ids of its own. */
function place(): Promise<string> {
  known ??= findPlace()
  return known
}

async function findPlace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return createHash('sha256').update(`${hostname()}\0${namespace}`).digest('hex').slice(0, 8)
}

/** The start time of a process in clock ticks; `gone` where it has ended, 0 where the system does not tell. */
async function startTimeOf(pid: number): Promise<string> {
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
