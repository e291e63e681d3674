import type { Clock } from '../../base/clock.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { isPrintable } from '../../base/schema/leaves.ts'
import { failedRenewalRestMs } from '../../base/times.ts'
import { type CommandSurroundings, runCommand } from '../../configuration/command.ts'
import type { ConfiguredSession, UserSession } from '../../roles/backend/configuration.ts'

export interface RenewalOptions {
  /** Name of the session in the configuration, such as `alice`. */
  readonly name: string
  readonly clock: Clock
  readonly secrets: Secrets
  readonly surroundings: CommandSurroundings
}

/** A session as checks use it. Its command runs when a request needs a newer token, once for all that wait for it. */
export function renewSession(
  { token, userId, cookie, renewal }: ConfiguredSession,
  { name, clock, secrets, surroundings }: RenewalOptions,
): UserSession {
  if (renewal === undefined) return { token, userId, cookie }
  const { command, everySeconds } = renewal
  let latest = token
  let obtainedAt = clock.monotonic() - (clock.wall() - renewal.obtainedAt)
  let underWay: Promise<string> | null = null
  let failed: { readonly at: number; readonly error: ControlLost } | null = null

  const obtain = async (): Promise<string> => {
    // The session lives from some moment of the command on, at the earliest from its beginning.
    const startedAt = clock.monotonic()
    const outcome = await runCommand(command, surroundings)
    const failure = 'failure' in outcome ? outcome.failure : faultOf(outcome.output)
    if (failure !== null || !('output' in outcome)) {
      const error = new ControlLost(
        `backend.sessions.${name}.token ${failure}; the session could not be renewed`,
      )
      failed = { at: clock.monotonic(), error }
      throw error
    }
    latest = secrets.register('session', outcome.output)
    obtainedAt = startedAt
    return latest
  }

  return {
    userId,
    cookie,
    everySeconds,
    get token() {
      return latest
    },
    async renew(olderThanSeconds = everySeconds) {
      if (underWay !== null) return await underWay
      if (clock.monotonic() - obtainedAt < olderThanSeconds * 1000) return latest
      if (failed !== null && clock.monotonic() - failed.at < failedRenewalRestMs) throw failed.error
      underWay = obtain()
      try {
        return await underWay
      } finally {
        underWay = null
      }
    },
  }
}

function faultOf(output: string): string | null {
  return isPrintable(output)
    ? null
    : 'has a command that printed several lines, expected the credential alone: print nothing else on stdout'
}
