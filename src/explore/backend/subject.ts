import { isLoopbackName } from '../../base/http/requested-address.ts'
import { outageSeconds } from '../../base/limits.ts'
import type { AbsentName } from '../../configuration/configuration.ts'
import { type CommonContext, type Needed, needTexts } from '../../requirement/needs.ts'
import type { Session } from '../../requirement/session.ts'
import type { Backend } from '../../roles/backend/driver.ts'
import type { Subject, Unjudged } from '../engine/subject.ts'
import { createDevices, type Devices } from './devices.ts'
import { type BackendInvariant, backendInvariants } from './invariants.ts'
import { type Issued, watchMint } from './mint-watch.ts'
import { makeMotifs } from './motifs.ts'
import { openStory } from './open-story.ts'
import { runSignOut } from './run-sign-out.ts'
import { type BackendStep, callers, makePlain, makeSteps, users } from './steps.ts'
import { tellBackend } from './tell-backend.ts'

/** Parts that stories about a backend need. */
export const backendNeeds = ['backend', 'mintDouble'] as const
export type BackendParts = CommonContext & Pick<Needed, (typeof backendNeeds)[number]>

export interface BackendSubjectOptions {
  /** The environment of the command that signs users out. */
  readonly environment: NodeJS.ProcessEnv
  readonly reset?: (() => Promise<void>) | undefined
}

/** A request whose call is kept waiting reaches the mint within this share of the time in which one was served. */
const latencyShare = 1.5
const shortestQuietMs = 120
const longestQuietMs = 2_000
/** Within which a request may cause calls behind its response. */
const recentMs = 10_000

/** A backend that is pointed at the suite's mint double, with everything that can happen to it. */
export function openBackendSubject(
  session: Session,
  parts: BackendParts,
  { environment, reset = async () => {} }: BackendSubjectOptions,
): Subject<BackendStep> {
  const { mintDouble, configuration, clock } = parts
  const sentAt: number[] = []
  const backend: Backend = {
    ...parts.backend,
    request(change) {
      sentAt.push(clock.monotonic())
      return parts.backend.request(change)
    },
  }
  const recentRequests = () => {
    const from = clock.monotonic() - recentMs
    while ((sentAt[0] ?? from) < from) sentAt.shift()
    return sentAt.length
  }
  const devices = devicesOf(parts, backend, environment)
  const known = new Map<string, Issued>()
  const pauseMs = outageSeconds(configuration.limits) * 1_000
  const isLocal = [configuration.backend?.url, mintDouble.url].every(
    (url) => url !== undefined && isLoopbackName(new URL(url).hostname),
  )
  let hasServed = false
  const present = callers.filter((caller) => devices.has(caller))
  const canSignOut = users.some((user) => devices.canSignOut(user))

  return {
    role: 'backend',
    invariants: backendInvariants,
    // A slow backend has time for two hundred stories: long rounds would leave most kinds of stories out.
    stories: { aRound: 3, shortest: 1, longest: 20 },
    makePlain,
    makeSteps: (_, random) => makeSteps(present, canSignOut, random),
    makeMotifs: (random) => makeMotifs({ present, canSignOut }, random),
    opening: `${users.filter((user) => devices.has(user)).join(' and ')} signed in and got a token.`,
    async tell(story) {
      await reset()
      await devices.endOne()
      return await mintDouble.scripted(async (scripted) => {
        const mint = watchMint(scripted, known)
        const latencyMs = await openStory(
          { backend, devices, clock, isLocal, pauseMs: hasServed ? pauseMs : null },
          mint,
        )
        hasServed = true
        const modelRun = tellBackend({
          backend,
          apiKey: mintDouble.apiKey,
          mint,
          devices,
          clock,
          quietMs: Math.min(longestQuietMs, Math.max(shortestQuietMs, latencyShare * latencyMs)),
          recentRequests,
          answerSeconds: configuration.limits.backendAnswerSeconds,
        })
        try {
          return await story(modelRun)
        } finally {
          // Nothing of this story may reach into the next one.
          await modelRun.end()
        }
      })
    },
    unjudged: () => listUnjudged(parts),
    drain: () => session.journal.drain(),
  }
}

function devicesOf(parts: BackendParts, backend: Backend, environment: NodeJS.ProcessEnv): Devices {
  const { configuration, available } = parts
  const [bob, secondDevice] = [available('bob'), available('aliceSecondDevice')]
  const { signOut } = configuration.hooks
  const ended = (token: string | undefined) => (token === undefined ? undefined : { token })
  return createDevices({
    sessions: {
      alice: backend.alice,
      'alice, on her second device': secondDevice,
      bob,
      'an expired session': ended(available('expiredSession')),
      'a signed-out session': ended(available('signedOutSession')),
    },
    endSession:
      signOut && ((session) => runSignOut(parts, environment, { command: signOut.command, session })),
  })
}

/** As a run does: what is declared absent does not apply, and is not missing. */
function listUnjudged({ configuration, available }: BackendParts): Unjudged {
  const isAbsent = (name: AbsentName) => configuration.absent.some(({ what }) => what === name)
  const hasEnded =
    available('expiredSession') !== undefined ||
    available('signedOutSession') !== undefined ||
    configuration.hooks.signOut !== undefined ||
    isAbsent('expiredSession')
  return {
    'EXP-03': available('bob') === undefined ? `needs ${needTexts.bob.wants}` : undefined,
    'EXP-04': hasEnded
      ? undefined
      : `needs ${needTexts.expiredSession.wants}; a session that has ended was never sent`,
  } satisfies { [id in BackendInvariant]?: string | undefined }
}
