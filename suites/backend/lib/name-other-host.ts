import { isIPv4 } from 'node:net'
import type { DoubleCall } from '../../../src/roles/mint/double.ts'

/**
 * Names the same machine by another host: clients that strip credentials by host name keep them on another port.
 * @param host by which the backend called the double, as in a URL
 * @param arrivedAt the address of this machine at which the call arrived
 * @returns the host as in a URL; null where this machine has no other name for the backend
 */
export function nameOtherHost(host: string, arrivedAt: string): string | null {
  if (/^localhost$/i.test(host)) return asHost(arrivedAt)
  if (isLoopback(host)) return 'localhost'
  if (isIPv4(host)) return `[::ffff:${host}]`
  return host.startsWith('[') ? null : asHost(arrivedAt)
}

/** Names by which every port of this machine is reached. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host)
}

function asHost(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return plain.includes(':') ? `[${plain}]` : plain
}

export function hostIn({ headers }: Pick<DoubleCall, 'headers'>): string {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? ''
  return host.replace(/:\d+$/, '') || '127.0.0.1'
}
