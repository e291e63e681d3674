import type { Outcome, Verdict } from '../../base/verdict.ts'
import { version } from '../../base/version.ts'

/** A file that is no result of a whole run. */
export interface UnreadFile {
  readonly file: string
  readonly why: string
}

/** One run, without its evidence. */
export interface Night {
  readonly file: string
  readonly tool: { readonly version: string }
  readonly target: string
  readonly config?: string | undefined
  readonly startedAt: string
  readonly durationMs: number
  readonly outcome: Outcome
  readonly checks: readonly {
    readonly id: string
    readonly title: string
    readonly level: string
    readonly verdict: Verdict
  }[]
}

export interface RequirementHistory {
  readonly id: string
  readonly title: string
  readonly level: string
  /** One a run, the earliest first; null where the run did not have it. */
  readonly verdicts: readonly (Verdict | null)[]
  /** When it was violated for the first time, and since when it is; null where it never was, or is not. */
  readonly firstSeen: string | null
  readonly failingSince: string | null
  /** When it came out without a violation after the last one. */
  readonly fixedOn: string | null
  /** How often a violation came or went. */
  readonly changes: number
  readonly isFlaky: boolean
}

/** The runs of one target with one configuration, the earliest first. */
export interface TargetHistory {
  readonly target: string
  readonly config: string | null
  readonly runs: readonly Omit<Night, 'checks' | 'target' | 'config'>[]
  readonly requirements: readonly RequirementHistory[]
}

/** Output of `twotoken history --format json`. */
export interface History {
  readonly tool: { readonly name: 'twotoken'; readonly version: string }
  readonly targets: readonly TargetHistory[]
  readonly unread: readonly UnreadFile[]
}

/** From here on it flickers: a violation that came, went and came again was perhaps only fixed too early. */
const flakyChanges = 3

/** Puts runs of many nights, regions and branches together. */
export function buildHistory(nights: readonly Night[], unread: readonly UnreadFile[]): History {
  const byTarget = Map.groupBy(nights, ({ target, config }) => JSON.stringify([target, config ?? null]))
  const targets = [...byTarget.entries()].toSorted(([left], [right]) => (left < right ? -1 : 1))
  return {
    tool: { name: 'twotoken', version },
    targets: targets.map(([, runs]) => historyOf(runs)),
    unread,
  }
}

function historyOf(nights: readonly Night[]): TargetHistory {
  const runs = nights.toSorted((left, right) => Date.parse(left.startedAt) - Date.parse(right.startedAt))
  // The newest run has the titles of today.
  const known = new Map(runs.flatMap(({ checks }) => checks.map((check) => [check.id, check] as const)))
  const judged = runs.map(({ checks }) => new Map(checks.map(({ id, verdict }) => [id, verdict] as const)))
  const requirements = [...known.values()]
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ id, title, level }) => ({
      ...{ id, title, level },
      ...followVerdicts(
        judged.map((verdicts) => verdicts.get(id) ?? null),
        runs.map(({ startedAt }) => startedAt),
      ),
    }))
  return {
    target: runs[0]?.target ?? '',
    config: runs[0]?.config ?? null,
    runs: runs.map(({ file, tool, startedAt, durationMs, outcome }) => ({
      ...{ file, tool, startedAt, durationMs, outcome },
    })),
    requirements,
  }
}

/** A run that did not judge a requirement says nothing about it: neither that it is violated, nor that it is fixed. */
function followVerdicts(
  verdicts: readonly (Verdict | null)[],
  times: readonly string[],
): Omit<RequirementHistory, 'id' | 'title' | 'level'> {
  let firstSeen: string | null = null
  let failingSince: string | null = null
  let fixedOn: string | null = null
  let changes = 0
  let before: boolean | null = null
  for (const [index, verdict] of verdicts.entries()) {
    if (verdict === null || !isJudged(verdict)) continue
    const isViolated = verdict === 'fail'
    const at = times[index] ?? null
    if (before !== null && before !== isViolated) changes += 1
    if (isViolated) {
      firstSeen ??= at
      failingSince ??= at
      fixedOn = null
    } else if (before === true) {
      failingSince = null
      fixedOn = at
    }
    before = isViolated
  }
  return { verdicts, firstSeen, failingSince, fixedOn, changes, isFlaky: changes >= flakyChanges }
}

export function isJudged(verdict: Verdict): boolean {
  return verdict !== 'untested' && verdict !== 'error' && verdict !== 'not-applicable'
}

export interface LastChange {
  readonly target: TargetHistory
  readonly requirement: RequirementHistory
  readonly kind: 'violated' | 'fixed' | 'lost'
}

/** Lists what the last run of each target has changed: new violations first, then lost verdicts, then what is fixed. */
export function listLastChanges({ targets }: History): LastChange[] {
  const kinds = ['violated', 'lost', 'fixed'] as const
  const changes = targets.flatMap((target) =>
    target.requirements.flatMap((requirement): LastChange[] => {
      const kind = lastChange(requirement.verdicts)
      return kind === null ? [] : [{ target, requirement, kind }]
    }),
  )
  return kinds.flatMap((wanted) => changes.filter(({ kind }) => kind === wanted))
}

function lastChange(verdicts: RequirementHistory['verdicts']): LastChange['kind'] | null {
  const [before, now] = [verdicts.at(-2), verdicts.at(-1)]
  if (verdicts.length < 2 || before === now) return null
  if (now === 'fail') return 'violated'
  const wasJudged = before !== null && before !== undefined && isJudged(before)
  const isLost = now === null || now === undefined || !isJudged(now)
  if (isLost) return wasJudged && now !== 'not-applicable' ? 'lost' : null
  return before === 'fail' ? 'fixed' : null
}

/** A target as a reader tells it from others. */
export function nameOf({ target, config }: TargetHistory): string {
  return config === null ? target : `${target} (${config})`
}
