import { sentNames } from '../base/evidence/hide-exchange.ts'
import { createSecrets } from '../base/evidence/secrets.ts'
import type { MetLimit, MetLimits } from '../base/http/limiter.ts'
import type { DescribedCheck } from '../catalogue/described.ts'
import { hideResults, hiderOf } from '../reports/hide-results.ts'
import { resultsOf } from '../reports/results.ts'
import { waitForCause } from '../reports/wait-for-cause.ts'
import { type CheckResult, unjudged } from '../requirement/run.ts'
import { addBlockedLoops } from './blocked-loops.ts'
import { markDetected } from './detect-profile.ts'
import type { Execution } from './execute.ts'
import { addPartNotes, readPartLogs } from './part-logs.ts'
import type { Plan } from './prepare.ts'
import { applyWaivers } from './waivers.ts'
import type { CheckReport } from './worker-protocol.ts'

export async function assembleResults(
  { begun, checks, configuration, provisioned, detected, mints }: Plan,
  { startedAt, seed, fingerprintKey, reports, blocks, contracts, stories, interrupted, metLimits }: Execution,
  config: string | undefined,
) {
  const recorded = [...reports, contracts, stories]
  const secrets = createSecrets(
    fingerprintKey,
    recorded.flatMap((one) => one.secrets),
  )
  const exchanges = recorded.flatMap((one) => one.exchanges)
  const hider = hiderOf(sentNames(exchanges, secrets), { configuration, secrets, fingerprintKey })
  const parts = provisioned === null ? [] : await readPartLogs(provisioned, hider)
  const ordered = orderResults(checks, reports, interrupted, mints.beyond)
  // Verdicts change here for the last time: what follows adds reasons and hides what peers have said.
  const judged = waitForCause([...ordered, ...contracts.checks, ...stories.checks], exchanges)
  const concluded = applyWaivers(judged, configuration.waivers, startedAt)
  const told = addPartNotes(addBlockedLoops(concluded, blocks), exchanges, parts)
  // The results before anything is hidden.
  const complete = resultsOf({
    target: configuration.name,
    config,
    startedAt,
    durationMs: performance.now() - begun,
    seed,
    interrupted,
    checks: detected === null ? told : markDetected(told, checks, detected),
    exchanges,
    parts,
    observed: {
      ...observedLimits(metLimits),
      ...(detected?.missing === null && { 'signaling.detectedProfile': detected.profile }),
    },
  })
  return { results: hideResults(complete, hider), judged: complete, secrets, parts }
}
export type Assembled = Awaited<ReturnType<typeof assembleResults>>

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
    if (interrupted)
      return unjudged(check, { verdict: 'untested', reason: 'the run was interrupted before it was judged' })
    const reason = 'the worker ended before it was judged'
    return unjudged(check, { verdict: 'error', reason, defect: true })
  })
}

/** A line for each part that limited the run. It names no pace: a limit's own cannot be seen from outside. */
export function listLimits(limits: MetLimits): string[] {
  return Object.entries(limits).flatMap(([part, { repeated, waitedSeconds, bannedSeconds }]) => {
    const name = part === 'signaling' ? part : `the ${part}`
    const lines: string[] = []
    if (bannedSeconds !== undefined) lines.push(`${name} refused every request for ${bannedSeconds} s`)
    if (repeated > 0)
      lines.push(
        `${name} limits its rate (requests repeated: ${repeated}, time spent waiting: ${waitedSeconds} s)`,
      )
    return lines
  })
}

export function observedLimits(limits: MetLimits): Record<string, MetLimit> {
  return Object.fromEntries(Object.entries(limits).map(([part, met]) => [`${part}.rateLimit`, met]))
}
