import { onOneLine } from '../../base/printable.ts'
import { levels, type Verdict, verdictOrder } from '../../base/verdict.ts'
import { pageAddress } from '../../base/version.ts'
import { addressOfFix } from '../../reports/addresses.ts'
import {
  clauseText,
  declaredSentences,
  outcomeSentence,
  reasonBeside,
  secondsOf,
  sentenceOf,
  verdictTitles,
} from '../../reports/describe-results.ts'
import { findFixPage, listFixed } from '../../reports/fix-pages.ts'
import { adviseOnOutage, describeWaiting, findOutages, type Outage } from '../../reports/group-errors.ts'
import { type FindingGroup, groupsUnder, listOtherCases } from '../../reports/group-findings.ts'
import type { RunResults } from '../../reports/results.ts'
import { waitingFor } from '../../reports/wait-for-cause.ts'
import type { CheckResult } from '../../requirement/run.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { wrap } from './wrap-text.ts'

type Paint = (style: keyof typeof styles, text: string) => string

const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36, grey: 90 } as const
const tones: Readonly<Record<Verdict, keyof typeof styles>> = {
  fail: 'red',
  error: 'magenta',
  warn: 'yellow',
  untested: 'cyan',
  'not-applicable': 'grey',
  info: 'cyan',
  pass: 'green',
}

type Shown = Pick<RunEnvironment, 'color' | 'columns'> & { readonly reportPath: string }

/** The end of `run`: the changes to make, the most urgent first, then the counts, the outcome and the report. */
export function summaryText(run: RunResults, { color, columns, reportPath }: Shown): string {
  const paint: Paint = (style, text) => (color ? `\u001b[${styles[style]}m${text}\u001b[0m` : text)
  const advised = new Map<string, string>()
  const entriesUnder = (verdict: EntryVerdict, checks: readonly CheckResult[]) =>
    checks
      .toSorted((one, two) => levels.indexOf(one.level) - levels.indexOf(two.level))
      .flatMap((check) => entryOf(check, verdict, { advised, checks: run.checks, columns, paint }) ?? [])
  const outages = findOutages(run.checks)
  const isUnheard = ({ id }: CheckResult) => outages.some(({ requirements }) => requirements.includes(id))
  const heard = run.checks.filter((check) => !isUnheard(check))
  const section = (verdict: keyof typeof verdictTitles, entries: readonly string[], title?: string) =>
    entries.length === 0
      ? ''
      : `${paint(tones[verdict], title ?? verdictTitles[verdict])}\n${entries.map((entry) => `${entry}\n`).join('')}\n`
  const told = (lines: readonly string[]) =>
    lines.flatMap((line) => wrapBehind(0, line, columns).map((part) => `${part}\n`))
  const counts = verdictOrder
    .filter((verdict) => run.summary[verdict] > 0)
    .map((verdict) => `${run.summary[verdict]} ${verdict}`)
  const target = onOneLine(run.target)
  const outcome = `${target} is ${run.outcome}: ${onOneLine(outcomeSentence(run))}${run.interrupted ? ' (interrupted)' : ''}`
  const outcomeTone = {
    conformant: 'green',
    nonconformant: 'red',
    incomplete: 'cyan',
    error: 'magenta',
  } as const
  const paintOutcome = (line: string) =>
    line.replace(`${run.outcome}:`, () => `${paint(outcomeTone[run.outcome], run.outcome)}:`)
  return [
    section('error', listOutages(outages, run.checks, columns), 'Outages'),
    section('fail', entriesUnder('fail', run.checks)),
    section('error', entriesUnder('error', heard)),
    section('warn', entriesUnder('warn', run.checks)),
    section('untested', listUnjudged(run, columns)),
    ...told([`${counts.join(', ') || 'no requirement was judged'} in ${secondsOf(run.durationMs)} s`]),
    '\n',
    ...told([outcome]).map(paintOutcome),
    ...told(declaredSentences(run).map(onOneLine)),
    '\n',
    ...told(listFixes(run)),
    `report: ${reportPath}\n`,
  ].join('')
}

function listFixes({ checks }: RunResults): string[] {
  const under = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict)
  const [first] = [
    ...under('fail').filter(({ id }) => findFixPage(id) !== null),
    ...under('fail'),
    ...under('warn'),
  ]
  if (first === undefined) return []
  const [fixed = first.id] = listFixed(first)
  const page = findFixPage(fixed)
  return [
    `clauses: ${pageAddress('specification')}`,
    `details: npx twotoken explain ${onOneLine(first.id)}`,
    ...(page === null ? [] : [`code that fixes it: ${addressOfFix(page)}`]),
  ]
}

/** A part that died is one entry, and not one for each requirement that waits for it. */
function listOutages(
  outages: readonly Outage[],
  checks: readonly CheckResult[],
  columns: number | undefined,
): string[] {
  return outages.map((outage) => {
    const { cause, requirements } = outage
    const what = `${cause} (${describeWaiting(requirements)})`
    const lines = [what, requirements.join(' '), adviseOnOutage(outage, checks)]
    return entryText(requirements[0] ?? '', lines, columns)
  })
}

type EntryVerdict = 'fail' | 'error' | 'warn'
const marks: Readonly<Record<EntryVerdict, string>> = { fail: '✗', error: '?', warn: '!' }

interface Entries {
  /** Advice that an entry has given, with the requirement that it is for. */
  readonly advised: Map<string, string>
  readonly checks: readonly CheckResult[]
  readonly columns: number | undefined
  readonly paint: Paint
}

/** One requirement under a verdict: title, observation, why it matters, change. A violated one has its warnings with it. */
function entryOf(
  check: CheckResult,
  verdict: EntryVerdict,
  { advised, checks, columns, paint }: Entries,
): string | null {
  const isViolated = check.verdict === 'fail' && check.waived !== true
  if (verdict === 'warn' && isViolated) return null
  const groups = groupsUnder(check, verdict)
  if (groups === null) return null
  const [group, ...others] = groups
  const advice = (of: FindingGroup | undefined): Line[] => {
    const text = of?.findings[0].seen === undefined ? '' : of.findings[0].advice
    const before = advised.get(text)
    if (text === '' || before === check.id) return []
    if (before !== undefined) return [['bold', `The change for ${before} is the one for this, too.`]]
    advised.set(text, check.id)
    return [['bold', text]]
  }
  const [warned, ...warnings] = isViolated && verdict === 'fail' ? (groupsUnder(check, 'warn') ?? []) : []
  const waiver = check.waived === true && group !== undefined ? reasonBeside(check) : null
  const waiting = (isViolated ? verdict === 'fail' : verdict === 'error') ? waitingFor(check.id, checks) : []
  const lines: Line[] = [
    ['plain', observed(check, group, others)],
    ...(verdict === 'fail' && check.why !== undefined ? [['dim', check.why] as const] : []),
    ...(waiver === null ? [] : [['plain', waiver] as const]),
    ...advice(group),
    ...(waiting.length === 0 ? [] : [['plain', `${describeWaiting(waiting)}.`] as const]),
    ...(warned === undefined ? [] : [['plain', `Warning: ${observed(check, warned, warnings)}`] as const]),
    ...advice(warned),
  ]
  const [first = '', ...rest] = wrapBehind(
    bodyIndent.length,
    `${onOneLine(check.id)} ${onOneLine(check.title)}`,
    columns,
  )
  const head = `  ${paint(tones[verdict], `${marks[verdict]} ${first}`)}`
  const titled = [head, ...rest.map((line) => `${bodyIndent}${paint(tones[verdict], line)}`)]
  const body = lines.flatMap(([style, text]) =>
    wrapBehind(bodyIndent.length, onOneLine(text), columns).map(
      (line) => `${bodyIndent}${style === 'plain' ? line : paint(style, line)}`,
    ),
  )
  return [...titled, ...body].join('\n')
}

type Line = readonly [style: 'plain' | 'bold' | 'dim', text: string]

const bodyIndent = '    '

function observed(
  check: CheckResult,
  group: FindingGroup | undefined,
  others: readonly FindingGroup[],
): string {
  const first = group?.findings[0]
  const parts = first?.seen === undefined ? null : first
  const said = first?.message ?? check.reason ?? sentenceOf(check)
  const level = first?.level ?? check.level
  // Most findings cite the clause themselves.
  const isCited = /\(\d[\d., ]*\)$/.test(parts?.expected ?? '')
  const rank = isCited ? level : `${level}, ${clauseText(check.clauses)}`
  const left = others.flatMap(({ findings }) => findings).length
  const further = [
    group === undefined ? '' : listOtherCases(group),
    left === 0 ? '' : `${left} other finding${left === 1 ? '' : 's'} in the report`,
  ].filter((text) => text !== '')
  const text = parts === null ? said : `saw ${shorten(parts.seen)}; expected ${parts.expected}`
  return `${text} (${[rank, ...further].join('; ')})`
}

/** Longest observation in the summary: it may list many cases, and the report has all of them. */
const longestSight = 240

function shorten(saw: string): string {
  if (saw.length <= longestSight) return saw
  return `${saw.slice(0, saw.lastIndexOf(' ', longestSight)).replace(/[,;]$/, '')} … (all of it in the report)`
}

const indent = 12

function entryText(id: string, lines: readonly string[], columns: number | undefined): string {
  const shown = lines.flatMap((line) => wrapBehind(indent, onOneLine(line), columns))
  const head = `  ${onOneLine(id)}`.padEnd(indent - 2)
  return shown.map((line, index) => `${index === 0 ? `${head}  ` : ' '.repeat(indent)}${line}`).join('\n')
}

function wrapBehind(indent: number, text: string, columns: number | undefined): string[] {
  return columns === undefined ? [text] : wrap(text, Math.max(40, columns - indent))
}

/** Lists unjudged requirements by reason: whole ones, and parts of those that have another verdict. */
function listUnjudged({ checks }: RunResults, columns: number | undefined): string[] {
  const groups = new Map<string, string[]>()
  for (const check of checks) {
    const isWhole = check.verdict === 'untested'
    const reason = isWhole ? (check.reason ?? 'no reason given') : reasonBeside(check)
    const isPart = (check.verdict === 'fail' || check.verdict === 'warn') && check.waived !== true
    if (reason === null || !(isWhole || isPart)) continue
    groups.set(reason, [...(groups.get(reason) ?? []), isWhole ? check.id : `${check.id} (in part)`])
  }
  return [...groups].map(([reason, ids]) => entryText(ids.join(' '), [reason], columns))
}
