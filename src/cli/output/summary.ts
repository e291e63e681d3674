import { onOneLine } from '../../base/printable.ts'
import type { Verdict } from '../../base/verdict.ts'
import {
  byReason,
  clauseText,
  outcomeSentence,
  reasonBeside,
  secondsOf,
  verdictOrder,
  verdictTitles,
  withVerdict,
} from '../../reports/describe-results.ts'
import type { RunResults } from '../../reports/results.ts'
import type { CheckResult } from '../../requirement/run.ts'

export interface SummaryOptions {
  readonly color: boolean
  /** Where the report for people is. */
  readonly reportPath: string
}

type Paint = (style: keyof typeof styles, text: string) => string

const styles = { bold: 1, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36, grey: 90 } as const
const tones: Readonly<Record<Verdict, keyof typeof styles>> = {
  fail: 'red',
  error: 'magenta',
  warn: 'yellow',
  untested: 'cyan',
  'not-applicable': 'grey',
  info: 'cyan',
  pass: 'green',
}

/** What `run` prints at its end: what to look at, by verdict, then the counts, the outcome and the report. */
export function summaryText(run: RunResults, { color, reportPath }: SummaryOptions): string {
  const paint: Paint = (style, text) => (color ? `\u001b[${styles[style]}m${text}\u001b[0m` : text)
  const found = (['fail', 'error', 'warn'] as const).map((verdict) =>
    group(verdict, withVerdict(run, verdict).flatMap(linesOf), withVerdict(run, verdict).length, paint),
  )
  const untested = withVerdict(run, 'untested')
  const left = byReason(untested).map(
    ({ reason, ids }) => `${onOneLine(ids.join(' '))}  ${onOneLine(reason)}`,
  )
  const counts = verdictOrder
    .filter((verdict) => run.summary[verdict] > 0)
    .map((verdict) => paint(tones[verdict], `${run.summary[verdict]} ${verdict}`))
  const outcomeTone = {
    conformant: 'green',
    nonconformant: 'red',
    incomplete: 'cyan',
    error: 'magenta',
  } as const
  return [
    ...found,
    group('untested', left, untested.length, paint),
    `${counts.join(', ') || 'no requirement was judged'} in ${secondsOf(run.durationMs)} s`,
    `\n${paint('bold', onOneLine(run.target))} is ${paint(outcomeTone[run.outcome], run.outcome)}: ${onOneLine(outcomeSentence(run))}${run.interrupted ? ' (interrupted)' : ''}`,
    `\nreport: ${reportPath}\n`,
  ].join('')
}

function group(
  verdict: keyof typeof verdictTitles,
  lines: readonly string[],
  count: number,
  paint: Paint,
): string {
  if (lines.length === 0) return ''
  const heading = paint(tones[verdict], `${verdictTitles[verdict]} (${count})`)
  return `${heading}\n${lines.map((line) => `  ${line}\n`).join('')}\n`
}

/** One line per finding: what was seen and expected, by which clause, and how to look closer. */
function linesOf(check: CheckResult): string[] {
  const { id, clauses, findings } = check
  const reason = reasonBeside(check)
  const statements = [
    ...findings.map(({ message, level }) => ({ message, level })),
    ...(reason === null ? [] : [{ message: reason, level: check.level }]),
  ]
  return statements.map(
    ({ message, level }) =>
      `${onOneLine(id)}  ${onOneLine(message)} (${level}, ${onOneLine(clauseText(clauses))}; details: twotoken explain ${onOneLine(id)})`,
  )
}
