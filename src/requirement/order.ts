import type { AnyCheck } from './define.ts'

/** Those that wait for expiry begin first, then those that need the mint double to themselves. */
export function sortByPhase<C extends { readonly phase?: AnyCheck['phase'] }>(checks: readonly C[]): C[] {
  const rank = { expiry: 0, exclusive: 1 } as const
  const of = (check: C) => (check.phase === undefined ? 2 : rank[check.phase])
  return [...checks].sort((a, b) => of(a) - of(b))
}
