import type { Clock } from '../../../src/base/clock.ts'
import type { DoubleReaction, ScriptedMint } from '../../../src/roles/mint/double.ts'

type Double = Pick<ScriptedMint, 'answer'>

/** Lets the next mint call fail, and answers those behind it as usual, until `double.answer(null)`. */
export function failFirstCall(double: Double, failure: DoubleReaction): void {
  let isFirst = true
  double.answer((_, ordinary) => {
    const reaction = isFirst ? failure : ordinary()
    isFirst = false
    return reaction
  })
}

/** So long a failure waits for the calls of the others: a backend may make one call at a time. */
export const heldMs = 5_000

/** Lets the first mint call for each of these users fail, all once the last has arrived, so that retries are pending together. */
export function failTogether(
  double: Double,
  clock: Pick<Clock, 'monotonic' | 'until'>,
  users: readonly { readonly id: string }[],
  failure: DoubleReaction,
): { readonly isMet: () => boolean; readonly isGivenUp: () => boolean } {
  const failing = new Set(users.map(({ id }) => id))
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  let isGivenUp = false
  double.answer(async ({ method, userId }, ordinary) => {
    if (method !== 'POST' || userId === null || !failing.delete(userId)) return await ordinary()
    if (failing.size === 0) resolve()
    await Promise.race([arrived, clock.until(clock.monotonic() + heldMs)])
    isGivenUp ||= failing.size > 0
    return failure
  })
  return { isMet: () => failing.size < users.length, isGivenUp: () => isGivenUp }
}
