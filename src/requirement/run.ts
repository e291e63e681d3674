import { waitingAsUsual, waitingPatiently } from '../base/answer-wait.ts'
import { ControlLost, NeverServed, Untested } from '../base/inconclusive.ts'
import { watchForStandstills } from '../base/standstill.ts'
import { worst } from '../base/verdict.ts'
import { noteReading, whileJudging } from '../base/watchdog.ts'
import type { Blame } from './blame.ts'
import { type Cause, causeOf, overloadedParty, undecidedParty } from './cause.ts'
import { type AnyCheck, type Heading, headingOf } from './define.ts'
import { createJudge, type Judgement, type Try } from './judge.ts'
import { outlastStandstills } from './outlast-standstills.ts'
import { redactJudgement } from './redact-check.ts'
import { chooseTry, findSuspects, type Place, retryAfterSilence, retryCheck } from './retrial.ts'
import type { Session } from './session.ts'
import type { ShownStory } from './shown-story.ts'

type Ordered = Pick<AnyCheck, 'phase' | 'role'>

/**
 * Those that wait for expiry begin first, then those that need the mint double to themselves. What may leave the backend
 * without answers comes after them, and what runs last ends the list: first what can run beside a strained backend.
 */
export function sortByPhase<C extends Ordered>(checks: readonly C[]): C[] {
  const rank = { expiry: 0, long: 1, exclusive: 2, straining: 4, last: 5, ending: 7, rotating: 9 } as const
  const of = (check: C) => {
    if (check.phase === undefined) return 3
    // Signaling prepares for the end of a credential, which the others only judge.
    const isLater = check.phase === 'ending' ? check.role !== 'signaling' : asksBackend(check)
    return rank[check.phase] + (isLast(check) && isLater ? 1 : 0)
  }
  return [...checks].sort((a, b) => of(a) - of(b))
}

function isLast({ phase }: Ordered): boolean {
  return phase === 'last' || phase === 'ending' || phase === 'rotating'
}

/** Where there is a mint, tokens for the others need no backend. */
function asksBackend({ role }: Ordered): boolean {
  return role === 'backend' || role === 'flow'
}

/** The result of one requirement, as in `results.json`. */
export interface CheckResult extends Judgement, Omit<Heading, 'why'> {
  /** Consequence for users where the requirement is violated; absent for a contract. */
  readonly why?: string
  readonly durationMs: number
  /** A known failure that the operator has declared: it does not count against the outcome. */
  readonly waived?: true
  /** It rests on a profile that was detected and is not confirmed. */
  readonly detected?: true | undefined
  /** The part that was down, or banned the suite, where that is why the requirement could not be judged. */
  readonly cause?: Cause | undefined
  /** Whose fault a violation is, where that was asked for and more than one part takes part in it. */
  readonly blame?: Blame | undefined
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
 * Runs one check against the implementation of a session. Never throws: what goes wrong is a verdict, too. A violation
 * that rests on a transport fault is tried once more, alone, when the session's other checks have ended; so is a check of a
 * client that lost a control or was accused while this machine stood still, a check that nothing was served to, and a check that
 * a silent part, or other checks, kept from a judgement.
 */
export async function runCheck(check: AnyCheck, session: Session): Promise<CheckResult> {
  const startedAt = session.clock.monotonic()
  const judge = async () => {
    const tryFirst = () => session.turns.take(check, () => tryOnce(check, session))
    const again = () => session.retrials.runAlone(() => tryOnce(check, session))
    const first = await outlastStandstills(await whenDue(check, session)(tryFirst), again)
    return await settle(check, session, first)
  }
  const judgement = await session.retrials.keepOpen(judge, placeOf(check))
  return {
    ...headingOf(check),
    // Findings and observations quote what a peer sent: they pass the redactor like every exchange.
    ...redactJudgement(judgement, session.redactor),
    cause: causeOf(judgement, session.journal),
    durationMs: Math.round(session.clock.monotonic() - startedAt),
  }
}

function placeOf(check: AnyCheck): Place {
  if (check.phase === 'straining' || check.phase === 'rotating') return check.phase
  return isLast(check) ? 'last' : 'usual'
}

/** When a check has its first try. */
function whenDue(check: AnyCheck, { retrials, configuration }: Session) {
  const { runFirst, runLast, runRotating, runStraining } = retrials
  if (check.phase === 'straining') return runStraining
  if (check.phase === 'rotating') return runRotating
  const run = isLast(check) ? runLast : runFirst
  const needsBackend = asksBackend(check) || configuration.mint === undefined || check.phase === 'ending'
  return <T>(tryIt: () => Promise<T>) => run(tryIt, { needsBackend })
}

/** Returns the first judgement, unless a fault on the way or a busy machine may have caused it. */
async function settle(check: AnyCheck, session: Session, first: Try): Promise<Judgement> {
  const { runAlone, noteWorkingClient, claimSecondTry } = session.retrials
  const again = async () => {
    const next = () => tryOnce(check, session)
    return await outlastStandstills(await next(), next)
  }
  const suspects = findSuspects(first.conclude().findings, session.journal)
  if (suspects.length > 0)
    return await runAlone(() =>
      retryCheck(check, session, { first, suspects, again: () => waitingAsUsual(again) }),
    )
  const wasHidden = first.hasHidden?.() === true && session.retrials.company() !== 'never'
  if (first.wasNeverServed === true || wasHidden)
    return await runAlone(async () => chooseTry(first, await again(), session.journal))
  if (first.hasMetBlock === true) return await runAlone(() => tryWithoutBlock(first, again, session))
  const silent =
    overloadedParty(first.conclude(), session.journal) ??
    (first.conclude().verdict === 'untested'
      ? undecidedParty(first.undecidedIn ?? [], session.journal)
      : undefined)
  if (silent !== undefined)
    return await runAlone(() =>
      retryAfterSilence(check, session, {
        first,
        silent,
        again: (isSlow) => (isSlow ? waitingPatiently(again) : again()),
      }),
    )
  if (check.role !== 'client') return first.conclude()
  if (isJudged(first.conclude())) noteWorkingClient()
  // The steps of a client take place on this machine: beside many others, one may take longer than anyone waits for it.
  if (first.hasLostControl !== true) return first.conclude()
  return await runAlone(async () => {
    if (!claimSecondTry()) return first.conclude()
    const judgement = chooseTry(first, await again(), session.journal)
    if (isJudged(judgement)) noteWorkingClient()
    return judgement
  })
}

/** Blocks of one kind come again where a check sends many attacks; each lowers the pace. */
const mostTriesAfterBlocks = 3

async function tryWithoutBlock(
  first: Try,
  again: () => Promise<Try>,
  { journal }: Session,
): Promise<Judgement> {
  let last = await again()
  for (let tries = 1; last.hasMetBlock === true && tries < mostTriesAfterBlocks; tries += 1)
    last = await again()
  return chooseTry(first, last, journal)
}

/** Says whether the check judged anything. A check that was left out may not have opened the client. */
function isJudged({ verdict }: Judgement): boolean {
  return verdict !== 'error' && verdict !== 'untested' && verdict !== 'not-applicable'
}

async function tryOnce(check: AnyCheck, session: Session): Promise<Try> {
  const judge = createJudge(check.level)
  const parts = session.contextFor(check, judge)
  if ('missing' in parts) {
    const { missing } = parts
    return { conclude: () => ({ ...missing, findings: [], observations: {} }) }
  }
  const signaling =
    check.role === 'signaling' || check.role === 'flow' ? parts.available('signaling') : undefined
  const blocksBefore = signaling?.blocksOver()
  let hasLostControl = false
  let wasNeverServed = false
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
        wasNeverServed = error instanceof NeverServed
        judge.lost(`control failed: ${error.message}`, error.evidence)
      } else judge.failed(`internal error: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  using standstills = check.role === 'client' ? watchForStandstills() : null
  let isCutShort = false
  const evidence = await session.journal.during(async () => {
    isCutShort = await session.mintBudget.watch(probe)
  })
  if (isCutShort)
    return {
      conclude: () =>
        cutShort(judge.conclude(), 'the calling tokens of --max-mints ran out before it finished'),
    }
  return {
    hasLostControl,
    wasNeverServed,
    hasMetBlock: signaling?.blocksOver() !== blocksBefore,
    undecidedIn: judge.undecidedIn,
    standstillMs: standstills?.worst() ?? 0,
    hasHidden: judge.hasHidden,
    conclude: (excuse) => withEvidence(judge.conclude(excuse), check.level, evidence),
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
