import type { Clock } from '../../src/base/clock.ts'
import { readToken } from '../../src/base/tokens/decode.ts'

/** Until the expiry of a token, from this instant of the monotonic clock on; infinite where exp cannot be read. */
export function millisecondsLeft(
  jwt: string,
  clock: Pick<Clock, 'wall' | 'monotonic'>,
  at = clock.monotonic(),
): number {
  const exp = readToken(jwt)?.claims?.['exp']
  return typeof exp === 'number'
    ? exp * 1000 - clock.wall() + clock.monotonic() - at
    : Number.POSITIVE_INFINITY
}
