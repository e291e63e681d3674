import type * as z from 'zod'
import { TwotokenError } from '../base/errors.ts'
import type { Exchange } from '../base/evidence/exchange.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { omitUndefined } from '../base/omit-undefined.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import { verdictOfBreach } from '../base/verdict.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { headingOf } from '../requirement/define.ts'
import { type ExploredRole, exploredRoles } from '../requirement/explored-roles.ts'
import { createJudge, describeBreach } from '../requirement/judge.ts'
import type { CommonContext, Need, Needed } from '../requirement/needs.ts'
import { redactCheck } from '../requirement/redact-check.ts'
import { type CheckResult, unjudged } from '../requirement/run.ts'
import { openSession, type Session } from '../requirement/session.ts'
import type { ShownStory } from '../requirement/shown-story.ts'
import { backendInvariants } from './backend/invariants.ts'
import { backendSteps } from './backend/steps.ts'
import { backendNeeds, openBackendSubject } from './backend/subject.ts'
import { type Exploration, explore, replay } from './engine/explore.ts'
import type { Found } from './engine/found.ts'
import type { Invariant, Step, Subject } from './engine/subject.ts'
import { mintInvariants } from './mint/invariants.ts'
import { mintSteps } from './mint/steps.ts'
import { mintNeeds, openMintSubject } from './mint/subject.ts'
import { signalingInvariants } from './signaling/invariants.ts'
import { signalingNeeds } from './signaling/parts.ts'
import { signalingSteps } from './signaling/steps.ts'
import { hurrySignaling, openSignalingSubject } from './signaling/subject.ts'

/** How the subject of a role is made of a session. */
interface RoleSubject {
  readonly invariants: readonly Invariant[]
  readonly needs: readonly Need[]
  /** The schema of the steps in a file. */
  readonly steps: z.ZodType<readonly Step[]>
  /** Keeps the parts of the configuration that stories need; a part that is left out is not opened. */
  narrow(configuration: Configuration): Configuration
  /** Shortens what stories wait for. */
  hurry?(configuration: Configuration): Configuration
  open(session: Session, parts: CommonContext & Needed, options: SubjectOptions): Subject<Step>
}

interface SubjectOptions {
  readonly environment: NodeJS.ProcessEnv
  /** Brings the part back to where it began before each story; where absent, a story begins with what the last one left. */
  readonly reset?: (() => Promise<void>) | undefined
}

const subjects: Readonly<Record<ExploredRole, RoleSubject>> = {
  mint: {
    invariants: mintInvariants,
    needs: mintNeeds,
    steps: mintSteps,
    narrow: ({ backend: _backend, signaling: _signaling, client: _client, ...rest }) => rest,
    open: (session, parts, options) => openMintSubject(session, parts, options) as Subject<Step>,
  },
  backend: {
    invariants: backendInvariants,
    needs: backendNeeds,
    steps: backendSteps,
    // Without the real mint the double signs by itself: an exploration would use up its tokens.
    narrow: ({ mint: _mint, signaling: _signaling, client: _client, ...rest }) => rest,
    open: (session, parts, options) => openBackendSubject(session, parts, options) as Subject<Step>,
  },
  signaling: {
    invariants: signalingInvariants,
    needs: signalingNeeds,
    steps: signalingSteps,
    narrow: ({ backend: _backend, client: _client, ...rest }) => rest,
    hurry: hurrySignaling,
    open: (session, parts, options) => openSignalingSubject(session, parts, options) as Subject<Step>,
  },
}

export interface ExploreRoleOptions extends SubjectOptions {
  readonly seed: number
  readonly milliseconds: number
  readonly signal?: AbortSignal
  readonly stopsAt?: string
  readonly fingerprintKey?: string
  readonly doubleCertificate?: TestableCertificate
  /** Tells this story instead of making stories up. */
  readonly replay?: ShownStory | undefined
  readonly onStory?: (stories: number, steps: number) => void
  readonly onFound?: (invariant: Invariant) => void
  readonly onShorten?: (stories: number) => void
  /** Gets the result as it would be if nothing more came: after each story, and with each that breaks an invariant. */
  readonly onSoFar?: (explored: Explored) => void
}

/**
 * The result of an exploration: one result for each invariant, and the exchanges of the stories that broke
 * some.
 */
export interface Explored {
  readonly checks: readonly CheckResult[]
  readonly exchanges: readonly Exchange[]
  /** Knows every secret of the exploration. */
  readonly redactor: Redactor
}

const endedFromOutside = 'the process that explores has ended'

/** The invariants of a role, or of all. */
export function listInvariants(): readonly Invariant[] {
  return exploredRoles.flatMap((role) => subjects[role].invariants)
}

/** The configuration with the parts alone that an exploration of this role contacts. */
export function narrowToExplored(role: ExploredRole, configuration: Configuration): Configuration {
  return subjects[role].narrow(configuration)
}

/**
 * Explores one part of the implementation, or tells it one story again.
 * @throws TwotokenError `usage` where the story is none about this part
 */
export async function exploreRole(
  role: ExploredRole,
  configuration: Configuration,
  {
    environment,
    reset,
    fingerprintKey,
    doubleCertificate,
    replay: given,
    onSoFar,
    ...options
  }: ExploreRoleOptions,
): Promise<Explored> {
  const { invariants, needs, narrow, hurry = (narrowed) => narrowed, open } = subjects[role]
  const replayed = given === undefined ? null : parseStory(role, given)
  const begun = performance.now()
  await using session = await openSession(hurry(narrow(configuration)), {
    seed: options.seed,
    environment,
    fingerprintKey,
    doubleCertificate,
    maxMints: configuration.limits.maxMints,
  })
  const { redactor } = session
  const parts = session.contextFor({ id: 'EXP', needs }, createJudge('MUST'))
  if ('missing' in parts)
    return {
      checks: invariants
        .filter(({ id }) => given === undefined || id === given.breaks)
        .map((one) => unjudged(one, parts.missing)),
      exchanges: [],
      redactor,
    }
  const subject = open(session, parts as CommonContext & Needed, { environment, reset })
  const conclude = (exploration: Exploration<Step>): Explored => {
    const judged = invariants.filter(
      ({ id }) =>
        given === undefined ||
        id === given.breaks ||
        exploration.found.some(({ invariant }) => invariant === id),
    )
    const durationMs = Math.round(performance.now() - begun)
    const checks = judged.map((one) => resultOf(one, exploration, { subject, durationMs }))
    return {
      checks: checks.map((check) => redactCheck(check, redactor)),
      exchanges: exploration.found.flatMap(({ story }) => story.exchanges),
      redactor,
    }
  }
  let soFar: Exploration<Step> = { stories: 0, steps: 0, found: [], lost: endedFromOutside }
  const progress = (change: Partial<Exploration<Step>>) => {
    soFar = { ...soFar, ...change }
    onSoFar?.(conclude(soFar))
  }
  progress({})
  const { onFound, onStory } = options
  const follow = {
    onStory(stories: number, steps: number) {
      onStory?.(stories, steps)
      progress({ stories, steps })
    },
    onFound(one: Found<Step>) {
      const invariant = invariants.find(({ id }) => id === one.invariant)
      if (invariant !== undefined) onFound?.(invariant)
      progress({ found: [...soFar.found, one] })
    },
  }
  return conclude(
    await (replayed === null ? explore(subject, { ...options, ...follow }) : replay(subject, replayed)),
  )
}

/** Results of an exploration that was ended from outside before it had any. */
export function unexplored(role: ExploredRole, given: ShownStory | undefined): readonly CheckResult[] {
  return subjects[role].invariants
    .filter(({ id }) => given === undefined || id === given.breaks)
    .map((one) => unjudged(one, { verdict: 'error', reason: endedFromOutside }))
}

/** @throws TwotokenError `usage` where the story is about another part, or has unknown steps */
export function parseStory(role: ExploredRole, story: ShownStory): readonly Step[] {
  const steps = subjects[role].steps.safeParse(story.steps)
  if (story.role === role && steps.success) return steps.data
  throw new TwotokenError(
    'usage',
    story.role === role
      ? `the story against ${story.breaks} has steps that this version does not know: find it anew with twotoken explore ${role}`
      : `the story is about the ${story.role}: use twotoken explore ${story.role}`,
  )
}

interface Circumstances {
  readonly subject: Pick<Subject<Step>, 'opening' | 'role' | 'unjudged'>
  readonly durationMs: number
}

function resultOf(
  invariant: Invariant,
  { stories, steps, found, motifs, lost, ended, skipped = [] }: Exploration<Step>,
  { subject, durationMs }: Circumstances,
): CheckResult {
  const { id, title, level } = invariant
  const told = `${stories} ${stories === 1 ? 'story' : 'stories'} of ${steps} steps`
  const base = {
    ...headingOf(invariant),
    durationMs,
    observations: omitUndefined({
      stories,
      steps,
      motifs: motifs?.told,
      untoldMotifs: motifs?.untold,
    }),
  }
  const broken = found.filter((one) => one.invariant === id)
  const own = broken.find(({ story }) => story.breach?.level === undefined) ?? broken[0]
  if (own === undefined && (lost !== null || stories === 0))
    return {
      ...base,
      verdict: 'error',
      reason: `ended after ${told}: ${lost ?? ended ?? 'no time was left'}`,
      findings: [],
    }
  const left = skipped.map(({ does }) => `"${does}"`).join(', ')
  if (own === undefined && steps === 0 && skipped.length > 0)
    return {
      ...base,
      verdict: 'untested',
      reason: `no step of the story could be taken (${left}): it needs users, sessions or hooks that this configuration lacks`,
      findings: [],
    }
  const unjudged = subject.unjudged?.()[id]
  if (own === undefined && unjudged !== undefined)
    return { ...base, verdict: 'untested', reason: unjudged, findings: [] }
  if (own === undefined)
    return {
      ...base,
      verdict: 'pass',
      reason: null,
      findings: [
        {
          level,
          verdict: 'pass',
          message: `passed in ${told}${motifs === undefined ? '' : ` (${describeMotifs(motifs)}${Math.round((steps / durationMs) * 60_000)} steps a minute)`}${ended === undefined ? '' : `, and ended then: ${ended}`}${skipped.length === 0 ? '' : `; skipped, since they could not be taken: ${left}`}`,
          evidence: [],
        },
      ],
    }
  const { story, doubt, seenOnce = doubt } = own
  const { breach } = story
  const broke = breach?.level ?? level
  // A service breaks an invariant now and then, or the network: that is worth a look, and accuses neither.
  const verdict = verdictOfBreach(doubt === null ? broke : 'SHOULD')
  return {
    ...base,
    verdict,
    reason: null,
    remarks: seenOnce === null ? undefined : [seenOnce],
    findings: [
      breach === null
        ? { level: broke, verdict, message: title, evidence: [] }
        : describeBreach({ level: broke, verdict }, breach),
    ],
    story: {
      role: subject.role,
      breaks: id,
      opening: subject.opening,
      told: story.taken.map(({ did, came, evidence }) => ({ did, came, evidence })),
      steps: story.steps,
    },
  }
}

function describeMotifs({ told, untold }: NonNullable<Exploration<Step>['motifs']>): string {
  const all = told.length + untold.length
  return all === 0 ? '' : `${told.length} of ${all} motifs; `
}
