import { basename, isAbsolute } from 'node:path'
import { z } from 'zod'
import { exchange } from '../base/evidence/exchange.ts'
import { unavailabilities } from '../base/evidence/transport-fault.ts'
import type { Output } from '../base/schema/leaves.ts'
import { levels, outcomeOf, outcomes, type Verdict, verdicts } from '../base/verdict.ts'
import { version } from '../base/version.ts'
import { absentName } from '../configuration/configuration.ts'
import { roles } from '../requirement/define.ts'
import type { CheckResult } from '../requirement/run.ts'
import { shownStory } from '../requirement/shown-story.ts'
import { addressesOfClauses } from './addresses.ts'
import { findOutages } from './group-errors.ts'
import { numberFindings } from './group-findings.ts'

/** Where the result of a run without a configuration file is, in a report that needs a place. */
export const usualConfiguration = 'twotoken.yaml'

const verdict = z.enum(verdicts)
const level = z.enum(levels)
const unavailable = z.enum(unavailabilities)

const statement = z.object({
  level,
  verdict,
  message: z.string(),
  evidence: z.array(z.string()),
  group: z.number().optional(),
})
const breach = statement.extend({
  seen: z.string(),
  expected: z.string(),
  advice: z.string(),
  case: z.string().optional(),
  fixedAs: z.string().optional(),
})

const check: z.ZodType<CheckResult> = z.object({
  id: z.string(),
  title: z.string(),
  role: z.enum(roles),
  level,
  clauses: z.array(z.string()),
  why: z.string().exactOptional(),
  verdict,
  durationMs: z.number(),
  reason: z.string().nullable(),
  remarks: z.array(z.string()).optional(),
  cause: z
    .object({
      part: z.enum(['mint', 'backend', 'signaling']),
      unavailable,
      during: z.string().optional(),
    })
    .optional(),
  absent: z.object({ what: absentName, reason: z.string() }).optional(),
  findings: z.array(z.union([breach, statement])),
  observations: z.record(z.string(), z.unknown()),
  defect: z.literal(true).optional(),
  waived: z.literal(true).exactOptional(),
  detected: z.literal(true).optional(),
  story: shownStory.optional(),
})

/** A file that a run left beside its results: the log of a container, a screenshot. */
const artefact = z.object({
  title: z.string(),
  /** Relative to the results. */
  file: z.string(),
  requirements: z.array(z.string()).optional(),
})

const startedPart = z.object({
  part: z.string(),
  image: z.string().optional(),
  state: z.string(),
  /** The file beside `results.json` with its output, hidden as everything else. */
  log: z.string(),
})

/** `results.json`: one run; what a peer has said in it is hidden. Unknown keys are dropped: a newer version may have written more. */
export const resultsSchema = z.object({
  tool: z.object({ name: z.literal('twotoken'), version: z.string() }),
  target: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  outcome: z.enum(outcomes),
  interrupted: z.literal(true).optional(),
  /** The configuration as it was named on the command line; absent for the embedded reference. */
  config: z.string().optional(),
  /** The number that reproduces the run's generated ids and delays. */
  seed: z.number(),
  summary: z.record(verdict, z.number()),
  checks: z.array(check),
  clauseAddresses: z.record(z.string(), z.string()).optional(),
  /** Causes that kept several requirements from being judged; absent where nothing did. */
  outages: z.array(z.object({ cause: z.string(), requirements: z.array(z.string()) })).optional(),
  /** Behaviour of the implementation where the specification is silent: every observation whose name has a dot. */
  observations: z.record(z.string(), z.unknown()),
  exchanges: z.array(exchange),
  artefacts: z.array(artefact).optional(),
  parts: z.array(startedPart).optional(),
})

/** Every other form of results is rendered from it. */
export type RunResults = Output<typeof resultsSchema>
export type StartedPart = Output<typeof startedPart>

type Kept = 'target' | 'config' | 'durationMs' | 'seed' | 'checks' | 'exchanges' | 'parts'

export interface RunRecord extends Pick<RunResults, Kept> {
  readonly startedAt: Date
  readonly interrupted: boolean
  readonly observed?: RunResults['observations']
}

export function resultsOf(run: RunRecord): RunResults {
  const summary = summaryOf(run.checks)
  const outages = findOutages(run.checks)
  const started = run.parts?.length === 0 ? undefined : run.parts
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
    observations: { ...Object.fromEntries(dotted), ...run.observed },
    exchanges: run.exchanges,
    artefacts: started?.map(({ part, log }) => ({ title: `what the ${part} printed`, file: log })),
    // A part's log is written to a separate file.
    parts: started?.map(({ part, image, state, log }) => ({ part, image, state, log })),
  }
}

export function summaryOf(checks: readonly CheckResult[]): Record<Verdict, number> {
  const counts = verdicts.map((verdict) => [
    verdict,
    checks.filter((check) => check.verdict === verdict).length,
  ])
  return Object.fromEntries(counts) as Record<Verdict, number>
}
