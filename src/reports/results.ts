import { basename, isAbsolute } from 'node:path'
import type { Exchange } from '../base/evidence/exchange.ts'
import { type Outcome, outcomeOf, type Verdict, verdicts } from '../base/verdict.ts'
import { version } from '../base/version.ts'
import type { CheckResult } from '../requirement/run.ts'
import { addressesOfClauses } from './addresses.ts'
import { findOutages, type Outage } from './group-errors.ts'
import { numberFindings } from './group-findings.ts'

export const usualConfiguration = 'twotoken.yaml'

/** `results.json`: one run, redacted. Every other form is rendered from it. */
export interface RunResults {
  readonly tool: { readonly name: 'twotoken'; readonly version: string }
  readonly target: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  readonly outcome: Outcome
  readonly interrupted?: true | undefined
  /** The configuration as it was named on the command line; absent for the embedded reference. */
  readonly config?: string | undefined
  /** The number that reproduces the run's generated ids and delays. */
  readonly seed: number
  readonly summary: Readonly<Record<Verdict, number>>
  readonly checks: readonly CheckResult[]
  /** Where the text of each cited clause is; absent in results of an earlier version. */
  readonly clauseAddresses?: Readonly<Record<string, string>> | undefined
  /** Causes that kept several requirements from being judged; absent where nothing did. */
  readonly outages?: readonly Outage[] | undefined
  /**
   * Behaviour of the implementation where the specification is silent: every observation whose name has a
   * dot.
   */
  readonly observations: Readonly<Record<string, unknown>>
  readonly exchanges: readonly Exchange[]
  readonly artefacts?: readonly Artefact[] | undefined
  /** Where the last redaction before writing found a secret: a fault of the suite. */
  readonly leaks?: readonly Leak[] | undefined
  readonly parts?: readonly StartedPart[] | undefined
}

/** A secret that the redaction at capture missed. */
export interface Leak {
  readonly file: string
  /** A path into the results, or a line. */
  readonly at: string
}

/** A file that a run left beside its results: the log of a container, a screenshot. */
export interface Artefact {
  readonly title: string
  /** Relative to the results. */
  readonly file: string
  readonly requirements?: readonly string[] | undefined
}

/** How one part ended that the suite started. */
export interface StartedPart {
  readonly part: string
  readonly image?: string | undefined
  readonly state: string
  /** The file beside `results.json` with its output, redacted. */
  readonly log: string
}

export interface RunRecord {
  readonly target: string
  readonly config?: string | undefined
  readonly startedAt: Date
  readonly durationMs: number
  readonly seed: number
  readonly interrupted: boolean
  readonly checks: readonly CheckResult[]
  readonly exchanges: readonly Exchange[]
  readonly parts?: readonly StartedPart[] | undefined
}

export function resultsOf(run: RunRecord): RunResults {
  const summary = summaryOf(run.checks)
  const outages = findOutages(run.checks)
  const dotted = run.checks.flatMap(({ observations }) =>
    Object.entries(observations).filter(([name]) => name.includes('.')),
  )
  return {
    tool: { name: 'twotoken', version },
    target: run.target,
    startedAt: run.startedAt.toISOString(),
    durationMs: Math.round(run.durationMs),
    outcome: outcomeOf(run.checks),
    interrupted: run.interrupted ? true : undefined,
    // An absolute path would show readers of the report the folders of its author.
    config: run.config && isAbsolute(run.config) ? basename(run.config) : run.config,
    seed: run.seed,
    summary,
    checks: run.checks.map((check) => ({ ...check, findings: numberFindings(check.findings) })),
    clauseAddresses: addressesOfClauses(run.checks),
    outages: outages.length === 0 ? undefined : outages,
    observations: Object.fromEntries(dotted),
    exchanges: run.exchanges,
    ...shownParts(run.parts ?? []),
  }
}

/** A run whose files had a secret is an `error`, whatever it judged. */
export function withLeaks(results: RunResults, leaks: readonly Leak[]): RunResults {
  return leaks.length === 0 ? results : { ...results, outcome: 'error', leaks }
}

export function summaryOf(checks: readonly CheckResult[]): Record<Verdict, number> {
  const counts = verdicts.map((verdict) => [
    verdict,
    checks.filter((check) => check.verdict === verdict).length,
  ])
  return Object.fromEntries(counts) as Record<Verdict, number>
}

/** Without the content of a part's log, which is a file of its own. */
function shownParts(parts: readonly StartedPart[]): Pick<RunResults, 'artefacts' | 'parts'> {
  if (parts.length === 0) return {}
  return {
    artefacts: parts.map(({ part, log }) => ({ title: `what the ${part} printed`, file: log })),
    parts: parts.map(({ part, image, state, log }) => ({ part, image, state, log })),
  }
}
