import { asAsker, type PaceLimits } from '../base/pacing.ts'
import type { AnyCheck } from './define.ts'

/**
 * Where a pace is set, one check of each role is judged at a time: many at once would only wait for each other's requests,
 * while tokens expire. Checks that wait for expiry run beside all others, and their requests go first.
 */
export function createTurns(pace: PaceLimits) {
  const isPaced = Object.keys(pace).length > 0
  const last = new Map<AnyCheck['role'], Promise<unknown>>()
  return {
    take<T>({ id, role, phase }: Pick<AnyCheck, 'id' | 'role' | 'phase'>, run: () => Promise<T>): Promise<T> {
      if (!isPaced) return run()
      const isUrgent = phase === 'expiry'
      const asItself = () => asAsker({ name: id, isUrgent }, run)
      if (isUrgent) return asItself()
      const mine = (last.get(role) ?? Promise.resolve()).then(asItself)
      last.set(
        role,
        mine.catch(() => undefined),
      )
      return mine
    },
  }
}
