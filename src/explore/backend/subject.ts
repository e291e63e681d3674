import type { Clock } from '../../base/clock.ts'
import { givenAdvice, givenEnvironment } from '../../base/given-environment.ts'
import type { Reply } from '../../base/http/client.ts'
import { readRateLimit } from '../../base/http/read-rate-limit.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { outageSeconds } from '../../base/limits.ts'
import { runCommand } from '../../configuration/command.ts'
import type { AbsentName } from '../../configuration/configuration.ts'
import { type CommonContext, type Needed, needTexts } from '../../requirement/needs.ts'
import type { Session } from '../../requirement/session.ts'
import type { Backend } from '../../roles/backend/driver.ts'
import { NotServed, type Subject } from '../engine/subject.ts'
import { createDevices, type Devices } from './devices.ts'
import { type BackendInvariant, backendInvariants } from './invariants.ts'
import { type Issued, type MintWatch, watchMint } from './mint-watch.ts'
import { type BackendStep, callers, makePlain, makeSteps, users } from './steps.ts'
import { tellBackend } from './tell-backend.ts'

/** Parts that stories about a backend need. */
export const backendNeeds = ['backend', 'mintDouble'] as const
export type BackendParts = CommonContext & Pick<Needed, (typeof backendNeeds)[number]>

export interface BackendSubjectOptions {
  /** The environment of the commands that sign users out. */
  readonly environment: NodeJS.ProcessEnv
  /** Brings the backend back to where it began; where absent, a story begins with what the last one left. */
  readonly restart?: (() => Promise<void>) | undefined
}

/** A backend serves its users within this time. */
const openingMs = 35_000
const betweenTriesMs = 250
/** Within which a request may cause calls behind its response. */
const recentMs = 10_000

interface Service {
  readonly backend: Backend
  readonly devices: Devices
  readonly clock: Clock
  /** How long it may pause after a story; null before the first one. */
  readonly pauseMs: number | null
}

/** A backend that is pointed at the suite's mint double, with everything that can happen to it. */
export function openBackendSubject(
  session: Session,
  parts: BackendParts,
  { environment, restart = async () => {} }: BackendSubjectOptions,
): Subject<BackendStep> {
  const { mintDouble, configuration, clock, redactor } = parts
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
  const [bob, secondDevice] = [parts.available('bob'), parts.available('aliceSecondDevice')]
  const [expired, signedOut] = [parts.available('expiredSession'), parts.available('signedOutSession')]
  const { signOut } = configuration.hooks
  const devices = createDevices({
    sessions: {
      alice: backend.alice,
      ...(secondDevice && { 'alice, on her second device': secondDevice }),
      ...(bob && { bob }),
      ...(expired && { 'an expired session': { token: expired } }),
      ...(signedOut && { 'a signed-out session': { token: signedOut } }),
    },
    endSession:
      signOut &&
      (async (told) => {
        const outcome = await runCommand(signOut.command, {
          directory: configuration.directory,
          environment: {
            ...givenEnvironment(environment, configuration, signOut.command),
            TWOTOKEN_SESSION: told,
          },
        })
        if ('failure' in outcome)
          throw new ControlLost(redactor.printed(`hooks.signOut ${outcome.failure}; ${givenAdvice}`))
      }),
  })
  const known = new Map<string, Issued>()
  const pauseMs = outageSeconds(configuration.limits) * 1_000
  let hasServed = false
  const present = callers.filter((caller) => devices.has(caller))

  return {
    role: 'backend',
    invariants: backendInvariants,
    // The backend remembers one story in the next: several of a kind go deeper than one.
    stories: { aRound: 12, shortest: 1, longest: 20 },
    makePlain,
    makeSteps: (_, random) =>
      makeSteps(
        present,
        users.some((user) => devices.canSignOut(user)),
        random,
      ),
    opening: `${users.filter((user) => devices.has(user)).join(' and ')} signed in and got a token.`,
    async tell(story) {
      await restart()
      return await mintDouble.runExclusive(async (scripted) => {
        const mint = watchMint(scripted, known)
        await open({ backend, devices, clock, pauseMs: hasServed ? pauseMs : null }, mint)
        hasServed = true
        const modelRun = tellBackend({
          backend,
          apiKey: mintDouble.apiKey,
          mint,
          devices,
          clock,
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

/** Everybody is signed in, and is served. */
async function open(service: Service, mint: MintWatch): Promise<void> {
  for (const user of users) if (service.devices.canSignIn(user)) await service.devices.signIn(user)
  mint.react('a token that soon expires')
  const until = service.clock.monotonic() + (service.pauseMs ?? openingMs)
  for (const user of users)
    if (service.devices.has(user)) await untilServed(service, user, service.devices, until)
  mint.react('a token')
}

async function untilServed(
  service: Service,
  user: (typeof users)[number],
  own: Devices,
  until: number,
): Promise<void> {
  for (;;) {
    const { session: token } = await own.present(user)
    const reply = await service.backend.request({ session: token, followRedirects: true })
    if (service.backend.tokenOf(reply) !== null) return
    if (service.clock.monotonic() >= until) {
      const came = reply.kind === 'answer' ? `returned ${reply.status} without a token` : reply.message
      // A session from the configuration may have come to its end.
      const mayHaveEnded = reply.kind === 'answer' && [401, 403].includes(reply.status)
      if (service.pauseMs !== null && !mayHaveEnded) throw notServed(reply, `${came} for ${user}, signed in`)
      throw new ControlLost(`the backend ${came} for ${user}, signed in, before the story began`, [
        reply.exchange,
      ])
    }
    await service.clock.until(service.clock.monotonic() + betweenTriesMs)
  }
}

/** Limits, outages and the network may end service as well. */
function notServed(reply: Reply, came: string): NotServed {
  const isSoft = reply.kind === 'no-answer' || readRateLimit(reply) !== null || reply.status === 504
  return new NotServed(`the backend ${came}, however long it was asked`, {
    invariant: 'EXP-07',
    level: isSoft ? 'SHOULD' : undefined,
    saw: `a backend that ${came} since the last story, while the mint answered every call`,
    expected: 'a token (4.2.5)',
    fix: 'Drop what a failed or abandoned call leaves behind: locks, pending promises and counters.',
    evidence: [reply.exchange],
  })
}

/** As a run does: what is declared absent does not apply, and is not missing. */
function listUnjudged({ configuration, available }: BackendParts): Readonly<Record<string, string>> {
  const isAbsent = (name: AbsentName) => configuration.absent.some(({ what }) => what === name)
  const hasEnded =
    available('expiredSession') !== undefined ||
    available('signedOutSession') !== undefined ||
    configuration.hooks.signOut !== undefined ||
    isAbsent('expiredSession')
  const reasons: Partial<Record<BackendInvariant, string>> = {
    ...(available('bob') === undefined && { 'EXP-03': `needs ${needTexts.bob.wants}` }),
    ...(!hasEnded && {
      'EXP-04': `needs ${needTexts.expiredSession.wants}; a session that has ended was never sent`,
    }),
  }
  return reasons as Readonly<Record<string, string>>
}
