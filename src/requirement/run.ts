import { ClientHalted, ControlLost, type Halt, Untested } from '../base/inconclusive.ts'
import { watchForStandstills } from '../base/standstill.ts'
import { worst } from '../base/verdict.ts'
import { noteReading, whileJudging } from '../base/watchdog.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { type Cause, causeOf } from './cause.ts'
import { askOrdinary, type ControlFault } from './controls.ts'
import { type AnyCheck, type Heading, headingOf, type Role } from './define.ts'
import { createJudge, type Judgement, type Try } from './judge.ts'
import { compareStages, type Held, type Lane, type Stage, type Turn } from './lanes.ts'
import type { CommonContext } from './needs.ts'
import { redactJudgement } from './redact-check.ts'
import { findDoubt, judgeAgain } from './rule.ts'
import type { Session } from './session.ts'
import type { ShownStory } from './shown-story.ts'

/** In the order in which checks have their turns. */
export function sortByStage<C extends Pick<AnyCheck, 'stage'>>(checks: readonly C[]): C[] {
  return checks.toSorted((one, other) => compareStages(one.stage, other.stage))
}

/** Where there is no mint, tokens for the checks of other parts come through the backend. */
function turnOf(check: AnyCheck, { mint }: Configuration): Turn {
  const { role, drives, needs } = check
  const stage: Stage = check.stage ?? 'ordinary'
  const own: readonly Lane[] = drives ?? lanesOfRole[role]
  const isThroughBackend = mint === undefined && needs.includes('callingTokens')
  return { stage, lanes: isThroughBackend ? [...new Set<Lane>([...own, 'backend'])] : own }
}

const lanesOfRole: Readonly<Record<Role, readonly Lane[]>> = {
  mint: ['mint'],
  backend: ['backend'],
  signaling: ['signaling'],
  flow: ['backend', 'signaling'],
  client: ['client'],
  bundle: [],
}

/** The result of one requirement, as in `results.json`. */
export interface CheckResult extends Judgement, Omit<Heading, 'why'> {
  /** Consequence for users where the requirement is violated; absent for a contract. */
  readonly why?: string
  /** Of its tries, without the wait for its turn. */
  readonly durationMs: number
  /** A known failure that the operator has declared: it does not count against the outcome. */
  readonly waived?: true
  /** It rests on a profile that was detected and is not confirmed. */
  readonly detected?: true | undefined
  /** The part that was down, or banned the suite, where that is why the requirement could not be judged. */
  readonly cause?: Cause | undefined
  /** The story that broke it, where it was found by exploration. */
  readonly story?: ShownStory | undefined
}

/** The result of a requirement that was not judged. */
export function unjudged(
  requirement: Heading,
  why: Pick<CheckResult, 'verdict' | 'reason' | 'absent' | 'defect'>,
): CheckResult {
  return { ...headingOf(requirement), durationMs: 0, findings: [], observations: {}, ...why }
}

/** As many exchanges as a reader may want to look at. */
const shownEvidence = 50

/**
 * Runs one check against the implementation of a session, when its turn has come, and once more behind the others of its lanes
 * where the rule asks for it. Never throws: what goes wrong is a verdict, too.
 */
export async function runCheck(check: AnyCheck, session: Session): Promise<CheckResult> {
  const { clock } = session
  let spentMs = 0
  const timed = async <T>(run: () => Promise<T>): Promise<T> => {
    const startedAt = clock.monotonic()
    const done = await run()
    spentMs += clock.monotonic() - startedAt
    return done
  }
  using seat = session.lanes.seat(turnOf(check, session.configuration))
  const first = await seat.take((held) => timed(() => tryOnce(check, session, held)))
  const outage = causeOf(first.conclude(), session.journal)
  if (outage !== undefined) session.outages.note(outage.part)
  const doubt = findDoubt(check, first, session)
  // Nobody else drives these parts meanwhile: a violation is tried again with all the time that there is.
  const again = async () => {
    await using asUsual = new AsyncDisposableStack()
    for (const lane of turnOf(check, session.configuration).lanes)
      if (lane !== 'client') asUsual.use(session.waits.of(lane).asUsual())
    return await tryOnce(check, session)
  }
  const judgement =
    doubt === null
      ? first.conclude()
      : await seat.takeAgain(() => timed(() => judgeAgain(check, session, { first, doubt, again })))
  const cause = causeOf(judgement, session.journal)
  if (outage !== undefined && cause === undefined) session.outages.noteServing(outage.part)
  return {
    ...headingOf(check),
    // Findings and observations quote what a peer sent: they pass the redactor like every exchange.
    ...redactJudgement(judgement, session.redactor),
    cause,
    durationMs: Math.round(spentMs),
  }
}

/**
 * What an ordinary request meets at a part that is down, on which this check cannot be judged; null where each part serves. One on
 * ordinary use may say why a part serves nothing.
 */
async function findOutage(
  check: AnyCheck,
  { configuration, journal, outages }: Session,
  parts: CommonContext,
): Promise<ControlFault | null> {
  if (check.kind === 'positive') return null
  const isMinted = check.needs.includes('callingTokens') && configuration.mint !== undefined
  const concerned = new Set([...(isMinted ? (['mint'] as const) : []), ...turnOf(check, configuration).lanes])
  return await outages.findFault(
    [...concerned].filter((lane) => lane !== 'client'),
    (part) => askOrdinary(part, parts, journal),
  )
}

async function tryOnce(check: AnyCheck, session: Session, held?: Held): Promise<Try> {
  const judge = createJudge(check.level)
  const parts = session.contextFor(check, judge, held)
  if ('missing' in parts) {
    const { missing } = parts
    return { conclude: () => ({ ...missing, findings: [], observations: {} }) }
  }
  // A second try asks for itself.
  const fault = held === undefined ? null : await findOutage(check, session, parts)
  if (fault !== null) {
    judge.lost(`control failed: ${fault.met}`, fault.evidence)
    return { conclude: judge.conclude }
  }
  const signaling =
    check.role === 'signaling' || check.role === 'flow' ? parts.available('signaling') : undefined
  const blocksBefore = signaling?.blocksOver()
  let hasLostControl = false
  let halt: Halt | undefined
  const probe = async () => {
    try {
      await whileJudging(check.id, async () => {
        noteReading('nothing of a peer yet')
        await check.run(parts as never, judge)
      })
    } catch (error) {
      if (error instanceof Untested) judge.untested(error.message)
      else if (error instanceof ControlLost) {
        hasLostControl = true
        if (error instanceof ClientHalted) halt = error.halt
        judge.lost(`control failed: ${error.message}`, error.evidence)
      } else judge.failed(`internal error: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  using standstills = check.role === 'client' ? watchForStandstills() : null
  const { ids: evidence, result: isCutShort } = await session.journal.during(() =>
    session.mintBudget.watch(probe),
  )
  if (isCutShort)
    return {
      conclude: () =>
        cutShort(judge.conclude(), 'the calling tokens of --max-mints ran out before it finished'),
    }
  return {
    hasLostControl,
    hasMetBlock: signaling?.blocksOver() !== blocksBefore,
    undecidedIn: judge.undecidedIn,
    hasMissed: judge.hasMissed,
    standstillMs: Math.max(standstills?.worst() ?? 0, judge.standstillMs),
    conclude: (excuse) => ({ ...withEvidence(judge.conclude(excuse), check.level, evidence), halt }),
  }
}

/** A check that was denied something on its way is not finished; what it had found by then stays. */
export function cutShort(
  { findings, observations }: Pick<Judgement, 'findings' | 'observations'>,
  reason: string,
): Judgement {
  const found = findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const verdict = worst(
    found.map((finding) => finding.verdict),
    'untested',
  )
  const remarks = found.length === 0 ? undefined : [reason]
  return { verdict, reason, remarks, findings: found, observations }
}

/** A verdict that found nothing wrong rests on evidence, too: on all that was exchanged for it. */
function withEvidence(
  judgement: Judgement,
  level: AnyCheck['level'],
  evidence: readonly string[],
): Judgement {
  const { verdict, findings } = judgement
  if ((verdict !== 'pass' && verdict !== 'info') || findings.length > 0 || evidence.length === 0)
    return judgement
  const message = `${verdict === 'pass' ? 'passed' : 'recorded'} in ${evidence.length} exchange${evidence.length === 1 ? '' : 's'}`
  return { ...judgement, findings: [{ level, verdict, message, evidence: evidence.slice(0, shownEvidence) }] }
}
