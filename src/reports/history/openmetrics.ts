import { omitUndefined } from '../../base/omit-undefined.ts'
import { verdicts } from '../../base/verdict.ts'
import { type History, isJudged, type TargetHistory } from './history.ts'

/**
 * OpenMetrics text with a sample for each run, at its time: `promtool tsdb create-blocks-from openmetrics` imports it. Samples
 * of one series follow each other in the order of time.
 */
export function renderOpenMetrics({ targets }: History): string {
  let text = ''
  for (const { name, unit, help, samples } of families) {
    text += `# TYPE ${name} gauge\n${unit === undefined ? '' : `# UNIT ${name} ${unit}\n`}# HELP ${name} ${help}\n`
    for (const target of targets)
      for (const series of samples(target)) text += renderSeries(name, target, series)
  }
  return `${text}# EOF\n`
}

function renderSeries(name: string, target: TargetHistory, { labels, values }: Series): string {
  const named = `${name}{${labelsOf(target, labels)}}`
  let text = ''
  for (const [index, value] of values.entries()) {
    const at = target.runs[index]?.startedAt
    // A second run at the same moment would be a second value of one sample.
    if (value === null || at === undefined || at === target.runs[index - 1]?.startedAt) continue
    text += `${named} ${value} ${Date.parse(at) / 1000}\n`
  }
  return text
}

interface Family {
  readonly name: string
  readonly unit?: string
  readonly help: string
  samples(target: TargetHistory): readonly Series[]
}

/** One value a run; null where the run says nothing. */
interface Series {
  readonly labels: Readonly<Record<string, string>>
  readonly values: readonly (number | null)[]
}

const families: readonly Family[] = [
  {
    name: 'twotoken_run_conformant',
    help: '1 where the run was conformant, 0 where it was anything else.',
    samples: ({ runs }) => [
      { labels: {}, values: runs.map(({ outcome }) => Number(outcome === 'conformant')) },
    ],
  },
  {
    name: 'twotoken_run_duration_seconds',
    unit: 'seconds',
    help: 'How long the run took.',
    samples: ({ runs }) => [{ labels: {}, values: runs.map(({ durationMs }) => durationMs / 1000) }],
  },
  {
    name: 'twotoken_requirements',
    help: 'Requirements of the run by verdict.',
    samples: ({ runs, requirements }) =>
      verdicts.map((verdict) => ({
        labels: { verdict },
        values: runs.map((_, run) => requirements.filter((one) => one.verdicts[run] === verdict).length),
      })),
  },
  {
    name: 'twotoken_requirement_violated',
    help: '1 where the requirement was violated, 0 where it was judged and was not; no sample where it was not judged.',
    samples: ({ requirements }) =>
      requirements.map(({ id, level, verdicts: judged }) => ({
        labels: { id, level },
        values: judged.map((verdict) =>
          verdict === null || !isJudged(verdict) ? null : Number(verdict === 'fail'),
        ),
      })),
  },
]

function labelsOf({ target, config }: TargetHistory, labels: Series['labels']): string {
  const all = omitUndefined({ target, config: config ?? undefined, ...labels })
  return Object.entries(all)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',')
}

function escapeLabel(value: string): string {
  return value
    .toWellFormed()
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll(/\p{Cc}/gu, '\ufffd')
}
