import { isDeepStrictEqual } from 'node:util'
import { TwotokenError } from '../base/errors.ts'
import { withoutFingerprints } from '../base/evidence/mask/labels.ts'
import { redactValues } from '../base/evidence/redact-values.ts'
import type { Outcome, Verdict } from '../base/verdict.ts'
import { version } from '../base/version.ts'
import type { CheckResult } from '../requirement/run.ts'
import { statementsOf } from './describe-results.ts'
import type { RunResults } from './results.ts'

/** One requirement in both runs; null where a run does not have it. */
export interface Change {
  readonly id: string
  readonly title: string
  readonly role: CheckResult['role']
  readonly old: Verdict | null
  readonly new: Verdict | null
  /** The statements of the newer run about it. */
  readonly says: readonly string[]
}

export interface ChangedObservation {
  /** The observation, and the path to the difference in it: `mint.oddTtls › 60.5`. */
  readonly name: string
  readonly old?: unknown
  readonly new?: unknown
}

/** Output of `twotoken diff --json`. Every requirement is in one list at most. */
export interface RunDiff {
  readonly tool: { readonly name: 'twotoken'; readonly version: string }
  readonly old: RunSummary
  readonly new: RunSummary
  /** `fail` now, and not before. */
  readonly newFailures: readonly Change[]
  /** `fail` before; judged now, and no failure. */
  readonly fixed: readonly Change[]
  readonly stillFailing: readonly Change[]
  /** Judged before, and `untested`, `error` or missing now. */
  readonly lost: readonly Change[]
  /** Any other verdict than before. */
  readonly changed: readonly Change[]
  /** Only in the newer run, and no failure. */
  readonly added: readonly Change[]
  /** Only in the older run, where it was not judged either. */
  readonly removed: readonly Change[]
  readonly observations: readonly ChangedObservation[]
}

interface RunSummary {
  readonly target: string
  readonly startedAt: string
  readonly outcome: Outcome
}

type Kind = 'newFailures' | 'fixed' | 'stillFailing' | 'lost' | 'changed' | 'added' | 'removed'

/**
 * Compares two runs.
 * @throws TwotokenError `usage` where they have no requirement in common
 */
export function diffRuns(older: RunResults, newer: RunResults): RunDiff {
  const before = new Map(older.checks.map((check) => [check.id, check]))
  const after = new Map(newer.checks.map((check) => [check.id, check]))
  if (!newer.checks.some(({ id }) => before.has(id)))
    throw new TwotokenError(
      'usage',
      'the two runs have no requirement in common: compare runs of the same suites',
    )
  const changes: Record<Kind, Change[]> = {
    newFailures: [],
    fixed: [],
    stillFailing: [],
    lost: [],
    changed: [],
    added: [],
    removed: [],
  }
  for (const id of new Set([...after.keys(), ...before.keys()])) {
    const [was, is] = [before.get(id), after.get(id)]
    const shown = is ?? was
    const kind = kindOf(was?.verdict ?? null, is?.verdict ?? null)
    if (shown === undefined || kind === null) continue
    changes[kind].push({
      id,
      title: shown.title,
      role: shown.role,
      old: was?.verdict ?? null,
      new: is?.verdict ?? null,
      says: is === undefined || is.verdict === 'pass' ? [] : statementsOf(is),
    })
  }
  return {
    tool: { name: 'twotoken', version },
    old: summaryOf(older),
    new: summaryOf(newer),
    ...changes,
    observations: changedObservations(older, newer),
  }
}

function kindOf(old: Verdict | null, now: Verdict | null): Kind | null {
  if (now === 'fail') return old === 'fail' ? 'stillFailing' : 'newFailures'
  if (wasJudged(old) && !wasJudged(now) && now !== 'not-applicable') return 'lost'
  if (old === null) return 'added'
  if (now === null) return 'removed'
  if (old === now) return null
  return old === 'fail' && wasJudged(now) ? 'fixed' : 'changed'
}

function wasJudged(verdict: Verdict | null): boolean {
  return verdict === 'pass' || verdict === 'fail' || verdict === 'warn' || verdict === 'info'
}

function summaryOf({ target, startedAt, outcome }: RunResults): RunSummary {
  return { target, startedAt, outcome }
}

function changedObservations(older: RunResults, newer: RunResults): ChangedObservation[] {
  return changesIn(comparable(older.observations), comparable(newer.observations), '')
}

/** Each run has fingerprints of its own. */
function comparable(observations: Values): Values {
  return redactValues(observations, { value: withoutFingerprints, name: withoutFingerprints })
}

type Values = Readonly<Record<string, unknown>>

/** Descends to the differences; an observation of only one run has no value of the other. */
function changesIn(older: Values, newer: Values, before: string): ChangedObservation[] {
  const keys = new Set([...Object.keys(older), ...Object.keys(newer)])
  return [...keys].flatMap((key) => {
    const [old, now] = [older[key], newer[key]]
    const name = `${before}${key}`
    if (isDeepStrictEqual(old, now)) return []
    if (isValues(old) && isValues(now)) return changesIn(old, now, `${name} › `)
    return [{ name, old, new: now }]
  })
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** 1 for a new violation, 3 where a requirement that was judged before is unknown now. */
export function exitCodeOfDiff({ newFailures, lost }: RunDiff): 0 | 1 | 3 {
  if (newFailures.length > 0) return 1
  return lost.length > 0 ? 3 : 0
}
