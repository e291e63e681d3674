import { sentNames } from '../base/evidence/mask/mask-exchange.ts'
import { type Redactor, redactorOf } from '../base/evidence/redact.ts'
import { redactExchange, rememberTexts } from '../base/evidence/redact-exchange.ts'
import type { DescribedCheck } from '../catalogue/described.ts'
import { maskOf, maskResults } from '../reports/mask-results.ts'
import { type RunResults, resultsOf } from '../reports/results.ts'
import { waitForCause } from '../reports/wait-for-cause.ts'
import { type CheckResult, unjudged } from '../requirement/run.ts'
import { addBlockedLoops } from './blocked-loops.ts'
import { addDetection, markDetected } from './detect-profile.ts'
import type { Execution } from './execute.ts'
import { addLimits } from './met-limits.ts'
import { addPartNotes, type PartLog, readPartLogs } from './part-logs.ts'
import type { Plan } from './prepare.ts'
import { applyWaivers } from './waivers.ts'
import type { CheckReport } from './worker-protocol.ts'

/** The results of a run, before anything is written. */
export interface Assembled {
  readonly results: RunResults
  /** The same before the mask: redacted, and for nobody but the user of this machine. */
  readonly unmasked: RunResults
  /** Knows every secret of the run. */
  readonly redactor: Redactor
  readonly parts: readonly PartLog[]
}

/** Puts the verdicts of the workers, the contracts, the logs of the parts and the waivers together. */
export async function assembleResults(
  { begun, checks, configuration, provisioned, detected, mints }: Plan,
  { startedAt, seed, fingerprintKey, reports, blocks, contracts, stories, interrupted, metLimits }: Execution,
  config: string | undefined,
): Promise<Assembled> {
  const redactor = redactorOf(
    [...reports.flatMap((report) => report.secrets), ...contracts.secrets, ...stories.secrets],
    fingerprintKey,
  )
  // A token that is no JWT is recognised only once it was looked for: exchanges recorded before that still show it.
  const remembering = rememberTexts(redactor)
  const recorded = [
    ...reports.flatMap((report) => report.exchanges),
    ...contracts.exchanges,
    ...stories.exchanges,
  ]
  const exchanges = recorded.map((exchange) => redactExchange(exchange, remembering))
  const mask = maskOf(sentNames(exchanges), { configuration, redactor, fingerprintKey })
  const parts = provisioned === null ? [] : await readPartLogs(provisioned, redactor, mask)
  const ordered = addBlockedLoops(
    waitForCause(orderResults(checks, reports, interrupted, mints.beyond), exchanges),
    blocks,
  )
  const marked = detected === null ? ordered : markDetected(ordered, checks, detected)
  const results = resultsOf({
    target: configuration.name,
    config,
    startedAt,
    durationMs: performance.now() - begun,
    seed,
    interrupted,
    checks: applyWaivers(
      addPartNotes([...marked, ...contracts.checks, ...stories.checks], exchanges, parts),
      configuration.waivers,
      startedAt,
    ),
    exchanges,
    parts,
  })
  const limited = addLimits(results, metLimits)
  const complete = detected === null ? limited : addDetection(limited, detected)
  return { results: maskResults(complete, mask), unmasked: complete, redactor, parts }
}

/** One result per requirement, in the order of the catalogue; a requirement that was not judged says why. */
function orderResults(
  checks: readonly DescribedCheck[],
  reports: readonly CheckReport[],
  interrupted: boolean,
  unaffordable: readonly CheckResult[],
): CheckResult[] {
  return checks.map((check) => {
    const report = reports.find(({ result }) => result.id === check.id)
    if (report !== undefined) return report.result
    const left = unaffordable.find(({ id }) => id === check.id)
    if (left !== undefined) return left
    return interrupted
      ? unjudged(check, {
          verdict: 'untested',
          reason: 'the run was interrupted before it was judged',
        })
      : unjudged(check, { verdict: 'error', reason: 'the worker ended before it was judged', defect: true })
  })
}
