import type { CheckResult } from '../check/run-check.ts'
import { type Outcome, outcomeOf, type Verdict, verdicts } from '../check/verdict.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Shard } from '../runner/shard.ts'
import { version } from '../version.ts'

/** `results.json`: one run, redacted. Every other form is rendered from it. */
export interface RunResults {
  readonly tool: { readonly name: 'twotoken'; readonly version: string }
  readonly target: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  readonly outcome: Outcome
  readonly interrupted?: true
  /** The number that reproduces the run's made-up ids and delays. */
  readonly seed: number
  /** Which share of a run this is, and the requirements of the whole run, so that a lost share is noticed. */
  readonly shard?: Shard & { readonly ids: readonly string[] }
  readonly summary: Readonly<Record<Verdict, number>>
  readonly checks: readonly CheckResult[]
  /** What the implementation does where the specification is silent: every dotted observation of the checks. */
  readonly observations: Readonly<Record<string, unknown>>
  readonly exchanges: readonly Exchange[]
}

export interface RunRecord {
  readonly target: string
  readonly startedAt: Date
  readonly durationMs: number
  readonly seed: number
  readonly interrupted: boolean
  readonly shard?: RunResults['shard']
  readonly checks: readonly CheckResult[]
  readonly exchanges: readonly Exchange[]
}

export function resultsOf(run: RunRecord): RunResults {
  const summary = Object.fromEntries(
    verdicts.map((verdict) => [verdict, run.checks.filter((check) => check.verdict === verdict).length]),
  ) as Record<Verdict, number>
  const dotted = run.checks.flatMap(({ observations }) =>
    Object.entries(observations).filter(([name]) => name.includes('.')),
  )
  return {
    tool: { name: 'twotoken', version },
    target: run.target,
    startedAt: run.startedAt.toISOString(),
    durationMs: Math.round(run.durationMs),
    outcome: outcomeOf(summary),
    ...(run.interrupted ? { interrupted: true } : {}),
    seed: run.seed,
    ...(run.shard === undefined ? {} : { shard: run.shard }),
    summary,
    checks: run.checks,
    observations: Object.fromEntries(dotted),
    exchanges: run.exchanges,
  }
}
