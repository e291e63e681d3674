import type * as z from 'zod'
import { TwotokenError } from '../base/errors.ts'
import type { Exchange } from '../base/evidence/exchange.ts'
import type { Secrets } from '../base/evidence/secrets.ts'
import { outageSeconds } from '../base/http/limits.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import { verdictOfBreach } from '../base/verdict.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { headingOf } from '../requirement/define.ts'
import type { ExploredRole } from '../requirement/explored-roles.ts'
import { createJudge, describeBreach } from '../requirement/judge.ts'
import type { CommonContext, Need, Needed } from '../requirement/needs.ts'
import { type CheckResult, unjudged } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import type { ShownStory } from '../requirement/shown-story.ts'
import { backendNeeds } from './backend/devices.ts'
import { backendSteps } from './backend/steps.ts'
import { openBackendSubject } from './backend/subject.ts'
import {
  accuses,
  type Exploration,
  type ExploreOptions,
  explore,
  type Found,
  replay,
} from './engine/explore.ts'
import type { OwnSubject, Step, Subject } from './engine/subject.ts'
import { type Invariant, invariants } from './invariants.ts'
import { mintSteps } from './mint/steps.ts'
import { mintNeeds, openMintSubject } from './mint/subject.ts'
import { signalingNeeds } from './signaling/find-habits.ts'
import { signalingSteps } from './signaling/steps.ts'
import { hurrySignaling, openSignalingSubject } from './signaling/subject.ts'

interface RoleSubject {
  readonly needs: readonly Need[]
  readonly steps: z.ZodType<readonly Step[]>
  /** Keeps the parts of the configuration that stories need; a part that is left out is not opened. */
  narrow(configuration: Configuration): Configuration
  hurry?(configuration: Configuration): Configuration
  open(parts: CommonContext & Needed, environment: NodeJS.ProcessEnv): OwnSubject<Step>
}

const subjects: Readonly<Record<ExploredRole, RoleSubject>> = {
  mint: {
    needs: mintNeeds,
    steps: mintSteps,
    narrow: ({ backend: _backend, signaling: _signaling, client: _client, ...rest }) => rest,
    open: (parts) => openMintSubject(parts) as OwnSubject<Step>,
  },
  backend: {
    needs: backendNeeds,
    steps: backendSteps,
    // Without the real mint the double signs by itself: an exploration would use up its tokens.
    narrow: ({ mint: _mint, signaling: _signaling, client: _client, ...rest }) => rest,
    open: (parts, environment) => openBackendSubject(parts, environment) as OwnSubject<Step>,
  },
  signaling: {
    needs: signalingNeeds,
    steps: signalingSteps,
    narrow: ({ backend: _backend, client: _client, ...rest }) => rest,
    hurry: hurrySignaling,
    open: (parts) => openSignalingSubject(parts) as OwnSubject<Step>,
  },
}

export interface ExploreRoleOptions
  extends Pick<ExploreOptions<Step>, 'seed' | 'milliseconds' | 'signal' | 'onStory'> {
  readonly environment: NodeJS.ProcessEnv
  /** Brings the part back to where it began before each story; where absent, a story begins with what the last one left. */
  readonly reset?: () => Promise<void>
  readonly fingerprintKey?: string
  readonly doubleCertificate?: TestableCertificate
  /** Tells this story instead of making stories up. */
  readonly replay?: ShownStory | undefined
  readonly onFound?: (invariant: Invariant) => void
  /** Gets the result as it would be if nothing more came: after each story, and with each that breaks an invariant. */
  readonly onSoFar?: (explored: Explored) => void
}

/** One result for each invariant, and the exchanges of the stories that broke some. */
export interface Explored {
  readonly checks: readonly CheckResult[]
  readonly exchanges: readonly Exchange[]
  readonly secrets: Secrets
}

const endedFromOutside = 'the process that explores has ended'

export function narrowToExplored(role: ExploredRole, configuration: Configuration): Configuration {
  return subjects[role].narrow(configuration)
}

/** Explores one part, or tells it one story again. Throws TwotokenError `usage` where the story is none about this part. */
export async function exploreRole(
  role: ExploredRole,
  configuration: Configuration,
  { environment, reset, fingerprintKey, doubleCertificate, replay: given, ...options }: ExploreRoleOptions,
): Promise<Explored> {
  const { needs, narrow, hurry = (narrowed) => narrowed, open } = subjects[role]
  const replayed = given === undefined ? null : parseStory(role, given)
  const begun = performance.now()
  await using session = await openSession(hurry(narrow(configuration)), {
    seed: options.seed,
    environment,
    fingerprintKey,
    doubleCertificate,
    maxMints: configuration.limits.maxMints,
  })
  const { secrets, clock } = session
  const parts = session.contextFor({ id: 'EXP', needs }, createJudge('MUST'))
  if ('missing' in parts) return { checks: listUnjudged(role, given, parts.missing), exchanges: [], secrets }
  const own = invariantsOf(role)
  const opened = open(parts as CommonContext & Needed, environment)
  const subject: Subject<Step> = {
    ...opened,
    role,
    invariants: own,
    clock,
    neverSeconds: outageSeconds(configuration.limits),
    drain: () => session.journal.drain(),
    async tell(story) {
      await reset?.()
      return await opened.tell(story)
    },
  }
  const conclude = (exploration: Exploration<Step>): Explored => {
    const isBroken = (id: string) => exploration.found.some(({ story }) => story.breach.invariant === id)
    const durationMs = Math.round(performance.now() - begun)
    const checks = own
      .filter(({ id }) => given === undefined || id === given.breaks || isBroken(id))
      .map((one) => resultOf(one, exploration, subject, durationMs))
    return { checks, exchanges: exploration.found.flatMap(({ story }) => story.exchanges), secrets }
  }
  if (replayed !== null) return conclude(await replay(subject, replayed))
  let soFar: Exploration<Step> = { stories: 0, steps: 0, found: [], lost: endedFromOutside }
  const progress = (change: Partial<Exploration<Step>>) => {
    soFar = { ...soFar, ...change }
    options.onSoFar?.(conclude(soFar))
  }
  progress({})
  const explored = await explore(subject, {
    ...options,
    onStory(stories, steps) {
      options.onStory?.(stories, steps)
      progress({ stories, steps })
    },
    onFound(one) {
      const broken = own.find(({ id }) => id === one.story.breach.invariant)
      if (broken !== undefined) options.onFound?.(broken)
      progress({ found: [...soFar.found, one] })
    },
  })
  return conclude(explored)
}

function invariantsOf(role: ExploredRole): readonly Invariant[] {
  return invariants.filter((one) => one.role === role)
}

/** Results of an exploration that was ended from outside before it had any. */
export function unexplored(role: ExploredRole, given: ShownStory | undefined): readonly CheckResult[] {
  return listUnjudged(role, given, { verdict: 'error', reason: endedFromOutside })
}

function listUnjudged(
  role: ExploredRole,
  given: ShownStory | undefined,
  why: Parameters<typeof unjudged>[1],
): CheckResult[] {
  return invariantsOf(role)
    .filter(({ id }) => given === undefined || id === given.breaks)
    .map((one) => unjudged(one, why))
}

/** @throws TwotokenError `usage` where the story is about another part, or has an unknown invariant or unknown steps */
export function parseStory(role: ExploredRole, story: ShownStory): readonly Step[] {
  const parsed = subjects[role].steps.safeParse(story.steps)
  const isKnown = invariantsOf(role).some(({ id }) => id === story.breaks)
  if (story.role === role && isKnown && parsed.success) return parsed.data
  throw new TwotokenError(
    'usage',
    story.role === role
      ? `the story against ${story.breaks} has steps or an invariant that this version does not know: find it anew with twotoken explore ${role}`
      : `the story is about the ${story.role}: use twotoken explore ${story.role}`,
  )
}

type Told = Pick<Subject<Step>, 'opening' | 'role' | 'unjudged'>

/** The outcome of one invariant: how it was broken, why it is unjudged, or that it passed. */
function resultOf(
  invariant: Invariant,
  exploration: Exploration<Step>,
  subject: Told,
  durationMs: number,
): CheckResult {
  const { stories, steps, found } = exploration
  const broken = found.filter(({ story }) => story.breach.invariant === invariant.id)
  const worst = broken.find(({ story }) => story.breach.level === undefined) ?? broken[0]
  const outcome =
    worst === undefined
      ? (whyUnjudged(invariant.id, exploration, subject) ?? passed(invariant, exploration))
      : judgeFound(invariant, worst, subject)
  const told = { durationMs, observations: { stories, steps }, reason: null, findings: [] }
  return { ...headingOf(invariant), ...told, ...outcome }
}

function passed(
  { level }: Invariant,
  exploration: Exploration<Step>,
): Pick<CheckResult, 'verdict' | 'findings'> {
  const { ended, skipped = [] } = exploration
  const end = ended === undefined ? '' : `, and ended then: ${ended}`
  const left = skipped.length === 0 ? '' : `; skipped, since they could not be taken: ${listSteps(skipped)}`
  const message = `passed in ${countStories(exploration)}${end}${left}`
  return { verdict: 'pass', findings: [{ level, verdict: 'pass', message, evidence: [] }] }
}

function whyUnjudged(
  id: string,
  exploration: Exploration<Step>,
  subject: Told,
): Pick<CheckResult, 'verdict' | 'reason'> | null {
  const { stories, steps, lost, ended, skipped = [] } = exploration
  if (lost !== null || stories === 0) {
    const why = lost ?? ended ?? 'no time was left'
    return { verdict: 'error', reason: `ended after ${countStories(exploration)}: ${why}` }
  }
  if (steps === 0 && skipped.length > 0)
    return {
      verdict: 'untested',
      reason: `no step of the story could be taken (${listSteps(skipped)}): it needs users, sessions or hooks that this configuration lacks`,
    }
  const reason = subject.unjudged()[id]
  return reason === undefined ? null : { verdict: 'untested', reason }
}

function judgeFound(
  { id, level, expected, fix }: Invariant,
  found: Found<Step>,
  { role, opening }: Told,
): Pick<CheckResult, 'verdict' | 'remarks' | 'findings' | 'story'> {
  const { story, doubt } = found
  const { saw, evidence, level: broke = level } = story.breach
  const verdict = verdictOfBreach(accuses(found) ? broke : 'SHOULD')
  return {
    verdict,
    remarks: doubt === null ? undefined : [doubt],
    findings: [describeBreach({ level: broke, verdict }, { saw, expected, fix, evidence })],
    story: {
      role,
      breaks: id,
      opening,
      told: story.taken.map(({ did, came, evidence }) => ({ did, came, evidence })),
      steps: story.steps,
    },
  }
}

function countStories({ stories, steps }: Exploration<Step>): string {
  return `${stories} ${stories === 1 ? 'story' : 'stories'} of ${steps} steps`
}

function listSteps(steps: readonly Step[]): string {
  return steps.map(({ does }) => `"${does}"`).join(', ')
}
