import type { DoubleCall } from '../../../src/roles/mint/double.ts'

/** The host by which the backend reaches the suite. */
export function hostIn({ headers }: Pick<DoubleCall, 'headers'>): string {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? ''
  return host.replace(/:\d+$/, '') || '127.0.0.1'
}
