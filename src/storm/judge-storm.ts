import { headingOf } from '../requirement/define.ts'
import { createJudge, type RunningJudge } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import { countOf, percentile } from './histogram.ts'
import { type LoadId, loadRequirements } from './requirements.ts'
import { type Tally, timedSteps } from './tally.ts'

/** Parts that serve no user after the load; null where they were not asked. */
export type Aftermath = readonly string[] | null

/** Above this share of its time a generator measures itself. */
const busyShare = 0.9

/** Counts of the tally that a pass rests on: one of each list must be above 0. */
const judgedBy: Readonly<
  Record<Exclude<LoadId, 'LOAD-06'>, { counts: readonly (readonly string[])[]; without: string }>
> = {
  'LOAD-01': { counts: [['owners judged']], without: 'no token was issued under load' },
  'LOAD-02': {
    counts: [['invalid sessions'], ['route tokens']],
    without: 'no signed-in user was served under load, or none without a session asked',
  },
  'LOAD-03': {
    counts: [['forged tokens', 'expired tokens'], ['joins']],
    without: 'no genuine token was accepted under load, or no token that must be rejected was offered',
  },
  'LOAD-04': { counts: [['lifetimes judged']], without: 'no token of the mint states its expiry' },
  'LOAD-05': {
    counts: [['route tokens', 'mint tokens', 'capped calls']],
    without: 'no request was served under load',
  },
}

/** One result for each requirement on load. */
export function judgeStorm(tally: Tally, aftermath: Aftermath): CheckResult[] {
  return loadRequirements.map((requirement) => {
    const { id, level } = requirement
    const judge = createJudge(level)
    if (id === 'LOAD-06') judgeAftermath(aftermath, judge)
    else judgeBreaches(id, tally, judge)
    if (id === 'LOAD-05')
      for (const [name, value] of Object.entries(figuresOf(tally))) judge.observe(name, value)
    return {
      ...headingOf(requirement),
      durationMs: tally.endedAt - tally.startedAt,
      ...judge.conclude(),
    }
  })
}

function judgeBreaches(
  id: Exclude<LoadId, 'LOAD-06'>,
  { breaches, counts }: Tally,
  judge: RunningJudge,
): void {
  const { counts: needed, without } = judgedBy[id]
  for (const { case: name, saw, expected, fix, level, count } of breaches.filter((one) => one.id === id)) {
    const part = level === 'MUST' ? judge.must : judge.typical
    part(false, { case: name, saw: `${count} times ${saw}`, expected, fix })
  }
  if (needed.every((names) => names.some((name) => (counts[name] ?? 0) > 0))) judge.passed()
  else judge.untested(without)
}

function judgeAftermath(aftermath: Aftermath, judge: RunningJudge): void {
  if (aftermath === null) {
    judge.untested('nothing was asked behind the load: it was interrupted, or only its figures are left')
    return
  }
  judge.passed()
  for (const part of aftermath)
    judge.must(false, {
      case: part,
      saw: `no service from ${part} for 35 s behind the load, which served users before it`,
      expected: 'the usual service (3, 5.6)',
      fix: 'Bound queues, and drop requests whose sender has gone.',
    })
}

/** The figures that readers of results compare, by dotted names. */
function figuresOf(tally: Tally): Record<string, number | string | null | Record<string, number>> {
  const seconds = Math.max(0.001, (tally.endedAt - tally.startedAt) / 1000)
  const share = tally.busyMs / 1000 / seconds / tally.generators
  const times = timedSteps.flatMap((step) => {
    const histogram = tally.times[step]
    if (countOf(histogram) === 0) return []
    return [50, 95, 99].map((part) => [`load.${step}.p${part}Ms`, percentile(histogram, part / 100)] as const)
  })
  return {
    'load.users': tally.users,
    'load.joinsPerSecond': Number(((tally.counts['joins'] ?? 0) / seconds).toFixed(1)),
    ...Object.fromEntries(times),
    'load.counts': tally.counts,
    'load.errors': tally.errors,
    'load.generator': `${Math.round(share * 100)} % of a core, ${tally.megabytes} MB${share > busyShare ? ': too busy to measure, use more machines or fewer users' : ''}`,
  }
}

/** The figures for people. */
export function figuresText(tally: Tally): string {
  const lines = Object.entries(figuresOf(tally)).map(([name, value]) => {
    const shown =
      typeof value === 'object' && value !== null
        ? Object.entries(value)
            .map(([cause, count]) => `${cause}: ${count}`)
            .join(', ') || 'none'
        : value
    return `  ${name.replace('load.', '').padEnd(16)} ${shown}`
  })
  return `Under load\n${lines.join('\n')}\n\n`
}
