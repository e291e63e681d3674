import type { Clock } from '../../base/clock.ts'
import { givenAdvice, givenEnvironment } from '../../base/given-environment.ts'
import type { Reply } from '../../base/http/client.ts'
import { readRateLimit } from '../../base/http/read-rate-limit.ts'
import { isLoopbackName } from '../../base/http/requested-address.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { outageSeconds } from '../../base/limits.ts'
import { readToken } from '../../base/tokens/decode.ts'
import { runCommand } from '../../configuration/command.ts'
import type { AbsentName } from '../../configuration/configuration.ts'
import { type CommonContext, type Needed, needTexts } from '../../requirement/needs.ts'
import type { Session } from '../../requirement/session.ts'
import type { Backend } from '../../roles/backend/driver.ts'
import { NotServed, type Recovery, type Subject } from '../engine/subject.ts'
import { createDevices, type Devices } from './devices.ts'
import { type BackendInvariant, backendInvariants } from './invariants.ts'
import { type Issued, type MintWatch, watchMint } from './mint-watch.ts'
import { makeMotifs } from './motifs.ts'
import {
  type BackendStep,
  callers,
  commandOf,
  listCommands,
  makePlain,
  makeSteps,
  type User,
  users,
} from './steps.ts'
import { tellBackend } from './tell-backend.ts'

/** Parts that stories about a backend need. */
export const backendNeeds = ['backend', 'mintDouble'] as const
export type BackendParts = CommonContext & Pick<Needed, (typeof backendNeeds)[number]>

export interface BackendSubjectOptions {
  /** The environment of the commands that sign users out. */
  readonly environment: NodeJS.ProcessEnv
  readonly reset?: (() => Promise<void>) | undefined
  readonly restart?: (() => Promise<void>) | undefined
}

/** A backend serves its users within this time. */
const openingMs = 35_000
const betweenTriesMs = 250
/** A request whose call is kept waiting reaches the mint within this share of the time in which one was served. */
const latencyShare = 1.5
const shortestQuietMs = 120
const longestQuietMs = 2_000
/** Within which a request may cause calls behind its response. */
const recentMs = 10_000

interface Service {
  readonly backend: Backend
  readonly devices: Devices
  readonly clock: Clock
  /** How long it may pause after a story; null before the first one. */
  readonly pauseMs: number | null
  /** Nothing between the suite, the backend and the mint double can fail: they share a machine. */
  readonly isLocal: boolean
}

/** A backend that is pointed at the suite's mint double, with everything that can happen to it. */
export function openBackendSubject(
  session: Session,
  parts: BackendParts,
  { environment, reset = async () => {}, restart }: BackendSubjectOptions,
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
  const isLocal = [configuration.backend?.url, mintDouble.url].every(
    (url) => url !== undefined && isLoopbackName(new URL(url).hostname),
  )
  let hasServed = false
  const present = callers.filter((caller) => devices.has(caller))

  return {
    role: 'backend',
    invariants: backendInvariants,
    // The backend remembers one story in the next: several of a kind go deeper than one.
    stories: { aRound: 12, shortest: 1, longest: 20 },
    makePlain,
    commands: listCommands(signOut !== undefined),
    commandOf,
    makeSteps: (_, random) =>
      makeSteps(
        present,
        users.some((user) => devices.canSignOut(user)),
        random,
      ),
    makeMotifs: (random) =>
      makeMotifs({ present, canSignOut: users.some((user) => devices.canSignOut(user)) }, random),
    opening: `${users.filter((user) => devices.has(user)).join(' and ')} signed in and got a token.`,
    recovery: recoveryOf(devices, restart),
    async tell(story, { patienceMs = pauseMs } = {}) {
      await reset()
      return await mintDouble.runExclusive(async (scripted) => {
        const mint = watchMint(scripted, known)
        const latencyMs = await open(
          { backend, devices, clock, isLocal, pauseMs: hasServed ? patienceMs : null },
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

/** A restart, and new sessions: those of a backend that keeps them in memory end with it. */
function recoveryOf(devices: Devices, restart: BackendSubjectOptions['restart']): Recovery | undefined {
  const renewed = users.filter((user) => devices.canRenew(user))
  if (restart === undefined && renewed.length === 0) return undefined
  return {
    by: restart === undefined ? 'new sessions' : 'a restart',
    async run() {
      await restart?.()
      for (const user of renewed) await devices.signIn(user)
    },
  }
}

/** Everybody is signed in, and is served: returns the longest time in which one was, in milliseconds. */
async function open(service: Service, mint: MintWatch): Promise<number> {
  for (const user of users) if (service.devices.canSignIn(user)) await service.devices.signIn(user)
  mint.react('a token that soon expires')
  const until = service.clock.monotonic() + (service.pauseMs ?? openingMs)
  const present = users.filter((user) => service.devices.has(user))
  const served = await Promise.allSettled(present.map((user) => untilServed(service, mint, user, until)))
  mint.react('a token')
  let latencyMs = 0
  for (const outcome of served)
    if (outcome.status === 'rejected') throw outcome.reason
    else latencyMs = Math.max(latencyMs, outcome.value)
  return latencyMs
}

interface Tried {
  readonly reply: Reply
  readonly isServed: boolean
  /** The mint double gave the backend a token meanwhile. */
  readonly wasIssued: boolean
}

async function tryOnce({ backend, devices }: Service, mint: MintWatch, user: User): Promise<Tried> {
  const before = mint.calls().length
  const { session, userId } = await devices.present(user)
  const reply = await backend.request({ session, followRedirects: true })
  const wasIssued = mint
    .calls()
    .slice(before)
    .some((call) => call.issued !== null && call.userId === userId)
  return { reply, isServed: backend.tokenOf(reply) !== null, wasIssued }
}

/** Returns how long the served request took, in milliseconds. */
async function untilServed(service: Service, mint: MintWatch, user: User, until: number): Promise<number> {
  const { devices, clock, pauseMs } = service
  let isNew = false
  for (;;) {
    const sentAt = clock.monotonic()
    const tried = await tryOnce(service, mint, user)
    if (tried.isServed) return clock.monotonic() - sentAt
    // A session may have come to its end.
    if (isRejection(tried.reply) && !isNew && devices.canRenew(user)) {
      isNew = true
      await devices.signIn(user)
      continue
    }
    if (clock.monotonic() >= until) {
      const { session } = await devices.present(user)
      if (pauseMs !== null && !hasExpired(session, clock))
        throw await notServed(service, mint, { ...tried, user, isNew })
      throw new ControlLost(
        `the backend ${cameOf(tried.reply)} for ${user}, signed in, before the story began`,
        [tried.reply.exchange],
      )
    }
    await clock.until(clock.monotonic() + betweenTriesMs)
  }
}

function isRejection(reply: Reply): boolean {
  return reply.kind === 'answer' && (reply.status === 401 || reply.status === 403)
}

function hasExpired(session: string | null, clock: Clock): boolean {
  const exp = session === null ? undefined : readToken(session)?.claims?.['exp']
  return typeof exp === 'number' && exp * 1_000 <= clock.wall()
}

function cameOf(reply: Reply): string {
  return reply.kind === 'answer' ? `returned ${reply.status} without a token` : reply.message
}

interface Unserved extends Tried {
  readonly user: User
  /** The session was obtained anew. */
  readonly isNew: boolean
}

/** Limits, outages and the network may end service as well: another user and the mint double tell. */
async function notServed(
  service: Service,
  mint: MintWatch,
  { user, isNew, reply, wasIssued }: Unserved,
): Promise<NotServed> {
  const other = users.find((one) => one !== user && service.devices.has(one))
  const servesOther = other !== undefined && (await tryOnce(service, mint, other)).isServed
  const isLimit = readRateLimit(reply) !== null || (reply.kind === 'answer' && reply.status === 403)
  const mayHaveEnded = isRejection(reply) && !isNew
  const isExcluded = servesOther || wasIssued || (service.isLocal && isOwnAnswer(reply)) || isDecision(reply)
  const control = servesOther
    ? `, while ${other} was served`
    : wasIssued
      ? ', though it got a token from the mint'
      : ''
  const came = `${cameOf(reply)} for ${user}, signed in`
  const fix = 'Drop what a failed or abandoned call leaves behind: locks, pending promises and counters.'
  return new NotServed(
    `the backend ${came}, however long it was asked${control}`,
    {
      invariant: 'EXP-07',
      level: isLimit || mayHaveEnded || !isExcluded ? 'SHOULD' : undefined,
      saw: `a backend that ${came} since the last story, while the mint answered every call${control}`,
      expected: 'a token (4.2.5)',
      fix: mayHaveEnded
        ? `${fix} The session may have ended as well: backend.sessions.${user}.token.command begins new ones.`
        : fix,
      evidence: [reply.exchange],
    },
    isLimit,
  )
}

/** The backend itself answered, and no gateway before it. */
function isOwnAnswer(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status !== 504 && !/^\s*<(?:!doctype|html)/i.test(reply.body)
}

/** Neither a dead part nor a network that failed answers so. */
function isDecision(reply: Reply): boolean {
  return reply.kind === 'answer' && ![502, 503, 504].includes(reply.status)
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
