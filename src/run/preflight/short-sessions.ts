import type { Clock } from '../../base/clock.ts'
import { uselessSessionSeconds, usualRunSeconds } from '../../base/times.ts'
import { readToken } from '../../base/tokens/decode.ts'
import type { BackendConfiguration } from '../../roles/backend/configuration.ts'
import type { Problem } from './problem.ts'

/** Sessions that say in their claims that they end within a run, or sooner than they are renewed. */
export function findShortSessions({ sessions }: BackendConfiguration, clock: Clock): Problem[] {
  const { alice, aliceSecondDevice, bob } = sessions
  return Object.entries({ alice, aliceSecondDevice, bob }).flatMap(([name, session]): Problem[] => {
    const exp = session === undefined ? undefined : readToken(session.token)?.claims?.['exp']
    if (session === undefined || typeof exp !== 'number') return []
    const key = `backend.sessions.${name}`
    const { renewal } = session
    const lifetime = Math.round(exp - (renewal?.obtainedAt ?? clock.wall()) / 1000)
    const isRenewedInTime = renewal !== undefined && renewal.everySeconds < lifetime
    if (isRenewedInTime || lifetime <= 0 || (renewal === undefined && lifetime > usualRunSeconds)) return []
    const message =
      renewal === undefined
        ? `${key} ends in ${lifetime} s; expected a session that outlives the run: write token: { command: …, freshEverySeconds: … }, a command that prints a new one`
        : `${key} lives ${lifetime} s, and is renewed every ${renewal.everySeconds} s; expected a renewal before its end: make freshEverySeconds shorter`
    return [
      {
        part: 'backend',
        kind: 'session',
        message,
        fatal: renewal === undefined && lifetime <= uselessSessionSeconds,
      },
    ]
  })
}
