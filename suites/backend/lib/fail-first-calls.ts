import type { Clock } from '../../../src/base/clock.ts'
import type { DoubleReaction, ScriptedMint } from '../../../src/roles/mint/double.ts'

/** So long a failure waits for the calls of the other users: a backend may make one call at a time. */
export const heldMs = 5_000

/** The mint calls that a double fails. */
export interface FailedCalls {
  /** How many have failed so far. */
  count(): number
  /** When the first of them failed without waiting for the last any longer, in monotonic milliseconds; null where none did. */
  givenUpAt(): number | null
}

/**
 * Lets the first mint call for each of these users fail, all of them once the last has arrived: their retries are then pending at
 * the same time. Every other call is answered as usual.
 */
export function failFirstCalls(
  double: Pick<ScriptedMint, 'answer'>,
  userIds: readonly string[],
  failure: DoubleReaction,
  clock: Clock,
): FailedCalls {
  const missing = new Set(userIds)
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  let givenUpAt: number | null = null
  double.answer(async ({ method, userId }, ordinary) => {
    if (method !== 'POST' || userId === null || !missing.delete(userId)) return await ordinary()
    if (missing.size === 0) resolve()
    await Promise.race([arrived, clock.until(clock.monotonic() + heldMs)])
    if (missing.size > 0) givenUpAt ??= clock.monotonic()
    return failure
  })
  return { count: () => userIds.length - missing.size, givenUpAt: () => givenUpAt }
}

/** Lets the next mint call fail, and answers those behind it as usual, until `double.answer(null)`. */
export function failFirstCall(double: Pick<ScriptedMint, 'answer'>, failure: DoubleReaction): void {
  let isFirst = true
  double.answer((_, ordinary) => {
    const reaction = isFirst ? failure : ordinary()
    isFirst = false
    return reaction
  })
}
