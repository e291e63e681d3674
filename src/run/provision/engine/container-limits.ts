import type { StartContainer } from '../../../configuration/configuration.ts'
import type { Engine } from './engine.ts'

/** More than a server starts, and far fewer than a machine has room for. */
const mostProcesses = 1024

/**
 * How the engine confines a container: what runs in it may be hostile, and the suite gives it keys. It gains no privileges,
 * and can neither fill the memory of the machine (swap included) nor its table of processes.
 */
export function confine({
  capabilities,
  memoryMegabytes,
}: Pick<StartContainer, 'capabilities' | 'memoryMegabytes'>) {
  const bytes = memoryMegabytes * 1_048_576
  return {
    Privileged: false,
    SecurityOpt: ['no-new-privileges'],
    CapDrop: ['ALL'],
    CapAdd: [...capabilities],
    Memory: bytes,
    MemorySwap: bytes,
    PidsLimit: mostProcesses,
  }
}

/** Where ports are published: on loopback, unless the engine is on another machine, whose loopback is not reached from here. */
export function publishOn({ isLocal }: Pick<Engine, 'isLocal'>): {
  readonly HostIp: string
  readonly HostPort: string
} {
  return { HostIp: isLocal ? '127.0.0.1' : '', HostPort: '' }
}

/** Warns the user of published ports; null where only this machine reaches them. */
export function warnOfPublishing({ isLocal, host }: Pick<Engine, 'isLocal' | 'host'>): string | null {
  if (isLocal) return null
  return `the container engine is on another machine (${host}): the ports of the containers are published on all of its addresses, so that every machine in its network reaches them during the run`
}
