import type { AbsentName } from '../../configuration/configuration.ts'
import { needTexts } from '../../requirement/needs.ts'
import type { OwnSubject } from '../engine/subject.ts'
import { type BackendParts, openDevices } from './devices.ts'
import { type Issued, watchMint } from './mint-watch.ts'
import { type BackendStep, callers, drawRound, users } from './steps.ts'
import { tellBackend } from './story.ts'

/** A backend that pauses after failures serves again within this time. */
const pauseSeconds = 35

export function openBackendSubject(
  parts: BackendParts,
  environment: NodeJS.ProcessEnv,
): OwnSubject<BackendStep> {
  const { mintDouble, configuration, clock } = parts
  const devices = openDevices(parts, environment)
  /** Tokens of earlier stories too: a backend may keep them. */
  const known = new Map<string, Issued>()
  const present = callers.filter((caller) => devices.has(caller))
  const canSignOut = users.some((user) => devices.canSignOut(user))
  return {
    opening: `${users.filter((user) => devices.has(user)).join(' and ')} signed in and got a token.`,
    pauseSeconds,
    drawRound: (dice) => drawRound(present, canSignOut, dice),
    async tell(story) {
      return await mintDouble.scripted(async (scripted) => {
        const telling = tellBackend({
          backend: parts.backend,
          apiKey: mintDouble.apiKey,
          mint: watchMint(scripted, known),
          devices,
          clock,
          answerSeconds: configuration.limits.backendAnswerSeconds,
        })
        try {
          return await story(telling)
        } finally {
          // Nothing of this story may reach into the next one.
          await telling.end()
        }
      })
    },
    unjudged: () => listUnjudged(parts),
  }
}

/** As a run does: what is declared absent does not apply, and is not missing. */
function listUnjudged({
  configuration: { absent, hooks },
  available,
}: BackendParts): Readonly<Record<string, string | undefined>> {
  const isAbsent = (name: AbsentName) => absent.some(({ what }) => what === name)
  const hasEnded =
    available('expiredSession') !== undefined ||
    available('signedOutSession') !== undefined ||
    hooks.signOut !== undefined ||
    isAbsent('expiredSession')
  return {
    'EXP-03': available('bob') === undefined ? `needs ${needTexts.bob.wants}` : undefined,
    'EXP-04': hasEnded
      ? undefined
      : `needs ${needTexts.expiredSession.wants}; a session that has ended was never sent`,
  }
}
