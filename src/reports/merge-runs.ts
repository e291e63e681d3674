import { TwotokenError } from '../base/errors.ts'
import { outcomeOf } from '../base/verdict.ts'
import { type Heading, roles } from '../requirement/define.ts'
import { type CheckResult, unjudged } from '../requirement/run.ts'
import { addressesOfClauses } from './addresses.ts'
import { findOutages } from './group-errors.ts'
import { type RunResults, summaryOf, withLeaks } from './results.ts'
import { waitForCause } from './wait-for-cause.ts'

/** A part of a run, and the file that it was read from. */
export interface Part {
  readonly file: string
  readonly run: RunResults
}

/** Describes a requirement that no part judged. */
export type Describe = (id: string) => Heading

/**
 * Merges the shards of one run. A requirement of a lost shard is an `error`, so that nothing is conformant by
 * omission.
 * @throws TwotokenError `usage` for parts that do not belong together, or that judged the same requirement twice
 */
export function mergeRuns(parts: readonly Part[], describe: Describe): RunResults {
  const [first, ...others] = parts
  if (first === undefined) throw new TwotokenError('usage', 'no results.json to merge')
  for (const other of others) assertSameRun(first, other)
  assertJudgedOnce(parts)
  const runs = parts.map(({ run }, index) =>
    parts.length === 1 ? run : withOwnIds(run, partName(run, index)),
  )
  const order = first.run.shard?.ids ?? []
  const exchanges = runs.flatMap((run) => run.exchanges)
  const judged = waitForCause(
    runs.flatMap(({ checks }) => checks),
    exchanges,
  )
  // Results that are not in the catalogue (contracts) come last.
  const rank = ({ id, role }: CheckResult) => (order.includes(id) ? roles.indexOf(role) : roles.length)
  const checks = [...judged, ...lostChecks(parts, describe)].sort(
    (left, right) => rank(left) - rank(right) || left.id.localeCompare(right.id),
  )
  const summary = summaryOf(checks)
  const outages = findOutages(checks)
  const begun = Math.min(...runs.map(({ startedAt }) => Date.parse(startedAt)))
  const ended = Math.max(...runs.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs))
  const merged: RunResults = {
    tool: first.run.tool,
    target: first.run.target,
    startedAt: new Date(begun).toISOString(),
    durationMs: ended - begun,
    outcome: outcomeOf(checks),
    interrupted: runs.some(({ interrupted }) => interrupted) ? true : undefined,
    config: first.run.config,
    configDigest: one(runs.map(({ configDigest }) => configDigest)),
    subjects: uniqueSubjects(runs),
    seed: first.run.seed,
    summary,
    checks,
    clauseAddresses: addressesOfClauses(checks),
    outages: outages.length === 0 ? undefined : outages,
    observations: Object.assign({}, ...runs.map(({ observations }) => observations)),
    exchanges,
  }
  return withLeaks(
    merged,
    runs.flatMap(({ leaks = [] }) => leaks),
  )
}

/** The value that all parts have. */
function one<Value>(values: readonly Value[]): Value | undefined {
  return new Set(values).size === 1 ? values[0] : undefined
}

/** Where one part judged another content than the others, both are listed. */
function uniqueSubjects(runs: readonly RunResults[]): RunResults['subjects'] {
  const subjects = runs.flatMap(({ subjects: judged = [] }) => judged)
  const byKey = new Map(subjects.map((subject) => [`${subject.sha256} ${subject.name}`, subject]))
  return byKey.size === 0 ? undefined : [...byKey.values()]
}

function assertSameRun(first: Part, other: Part): void {
  const differs = (what: string, one: string, two: string) =>
    new TwotokenError(
      'usage',
      `${first.file} and ${other.file} are not shards of one run: ${what} is ${one} in the first and ${two} in the second`,
    )
  const { run } = first
  if (run.target !== other.run.target) throw differs('the target', run.target, other.run.target)
  if (run.tool.version !== other.run.tool.version)
    throw differs('the twotoken version', run.tool.version, other.run.tool.version)
  const share = (part: Part) => (part.run.shard === undefined ? 'the whole run' : `1/${part.run.shard.count}`)
  if (share(first) !== share(other)) throw differs('the shard count', share(first), share(other))
  if (run.shard?.ids.join() !== other.run.shard?.ids.join())
    throw differs('the number of requirements', `${run.shard?.ids.length}`, `${other.run.shard?.ids.length}`)
}

function assertJudgedOnce(parts: readonly Part[]): void {
  const seen = new Map<string, string>()
  for (const { file, run } of parts)
    for (const { id } of run.checks) {
      const before = seen.get(id)
      if (before !== undefined)
        throw new TwotokenError('usage', `${id} is in both ${before} and ${file}; give each shard once`)
      seen.set(id, file)
    }
}

function lostChecks(parts: readonly Part[], describe: Describe): CheckResult[] {
  const shard = parts[0]?.run.shard
  if (shard === undefined) return []
  const judged = new Set(parts.flatMap(({ run }) => run.checks.map(({ id }) => id)))
  const given = new Set(parts.map(({ run }) => run.shard?.index))
  return shard.ids
    .filter((id) => !judged.has(id))
    .map((id) => {
      const index = (shard.ids.indexOf(id) % shard.count) + 1
      const why = given.has(index) ? 'did not run it' : 'is missing'
      return unjudged(describe(id), { verdict: 'error', reason: `shard ${index}/${shard.count} ${why}` })
    })
}

function partName(run: RunResults, index: number): string {
  return `s${run.shard?.index ?? index + 1}`
}

/** Every part numbers its exchanges from 1, so the name of the part becomes a prefix of their ids. */
function withOwnIds(run: RunResults, name: string): RunResults {
  const own = (id: string) => `${name}-${id}`
  return {
    ...run,
    checks: run.checks.map((check) => ({
      ...check,
      findings: check.findings.map((finding) => ({ ...finding, evidence: finding.evidence.map(own) })),
    })),
    exchanges: run.exchanges.map((exchange) => ({ ...exchange, id: own(exchange.id) })),
  }
}
