import { redactValues } from '../base/evidence/redact-values.ts'
import { ControlLost, Untested } from '../base/inconclusive.ts'
import type { AnyCheck } from './define.ts'
import { createJudge, type Judgement, type Try } from './judge.ts'
import { findSuspects, retryCheck } from './retrial.ts'
import type { Session } from './session.ts'

/** Those that wait for expiry begin first, then those that need the mint double to themselves; what runs last ends the list. */
export function sortByPhase<C extends { readonly phase?: AnyCheck['phase'] }>(checks: readonly C[]): C[] {
  const rank = { expiry: 0, long: 0, exclusive: 1, last: 3 } as const
  const of = (check: C) => (check.phase === undefined ? 2 : rank[check.phase])
  return [...checks].sort((a, b) => of(a) - of(b))
}

/** The result of one requirement, as in `results.json`. */
export interface CheckResult extends Judgement {
  readonly id: string
  readonly title: string
  readonly role: AnyCheck['role']
  readonly level: AnyCheck['level']
  readonly clauses: readonly string[]
  readonly durationMs: number
  /** A known failure that the operator has declared: it does not count against the outcome. */
  readonly waived?: true
  /** It rests on a profile that was detected and is not confirmed. */
  readonly detected?: true
}

/** As many exchanges as a reader may want to look at. */
const shownEvidence = 50

/**
 * Runs one check against the implementation of a session. Never throws: what goes wrong is a verdict, too. A violation
 * that rests on a transport fault is tried once more, alone, when the session's other checks have ended.
 */
export async function runCheck(check: AnyCheck, session: Session): Promise<CheckResult> {
  const { id, title, role, level, clauses } = check
  const startedAt = session.clock.monotonic()
  const { runAlone, runFirst } = session.retrials
  const first = await (check.phase === 'last' ? runAlone : runFirst)(() => tryOnce(check, session))
  const suspects = findSuspects(first.conclude().findings, session.journal)
  const judgement =
    suspects.length === 0
      ? first.conclude()
      : await session.retrials.runAlone(() =>
          retryCheck(check, session, { first, suspects, again: () => tryOnce(check, session) }),
        )
  return {
    id,
    title,
    role,
    level,
    clauses,
    // Findings and observations quote what a peer sent: they pass the redactor like every exchange.
    ...redactValues(judgement, session.redactor.received).value,
    durationMs: Math.round(session.clock.monotonic() - startedAt),
  }
}

async function tryOnce(check: AnyCheck, session: Session): Promise<Try> {
  const judge = createJudge(check.level)
  const parts = session.contextFor(check, judge)
  if ('missing' in parts) {
    const { verdict, reason } = parts.missing
    return { conclude: () => ({ verdict, reason, findings: [], observations: {} }) }
  }
  const probe = async () => {
    try {
      await check.run(parts as never, judge)
    } catch (error) {
      if (error instanceof Untested) judge.untested(error.message)
      else if (error instanceof ControlLost) judge.lost(`control failed: ${error.message}`, error.evidence)
      else judge.lost(`internal error: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  let isCutShort = false
  const evidence = await session.journal.during(async () => {
    isCutShort = await session.mintBudget.watch(probe)
  })
  if (isCutShort) return { conclude: () => cutShort(judge.conclude()) }
  return { conclude: (excuse) => withEvidence(judge.conclude(excuse), check.level, evidence) }
}

/** A check that was denied a token on its way saw only half of what it judges by: it makes no accusation. */
function cutShort({ observations }: Judgement): Judgement {
  const reason = 'the calling tokens of --max-mints ran out before it finished'
  return { verdict: 'untested', reason, findings: [], observations }
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
