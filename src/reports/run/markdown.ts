import { verdictOrder } from '../../base/verdict.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { addressOfClause } from '../addresses.ts'
import {
  byReason,
  clauseText,
  declaredSentences,
  outcomeSentence,
  reasonBeside,
  rerunCommand,
  secondsOf,
  sentenceOf,
  verdictTitles,
  withVerdict,
} from '../describe-results.ts'
import { escapeMarkdown } from '../escape.ts'
import { type FindingGroup, groupsUnder, listOtherCases } from '../group-findings.ts'
import type { RunResults } from '../results.ts'

export function renderMarkdown(run: RunResults): string {
  const judged = (['fail', 'error', 'warn'] as const).flatMap((verdict) => {
    const texts = run.checks.flatMap((check) => {
      const groups = groupsUnder(check, verdict)
      if (groups === null) return []
      const isItself = check.verdict === verdict
      return [requirement(check, groups, isItself ? rerunCommand(check, run) : null, isItself)]
    })
    return texts.length === 0 ? [] : [`## ${verdictTitles[verdict]}`, ...texts]
  })
  const left = (['untested', 'not-applicable'] as const).flatMap((verdict) => {
    const groups = byReason(withVerdict(run, verdict))
    const lines = groups.map(
      ({ reason, ids }) => `- ${escapeMarkdown(ids.join(', '))}: ${escapeMarkdown(reason)}`,
    )
    return lines.length === 0 ? [] : [`## ${verdictTitles[verdict]}`, lines.join('\n')]
  })
  return `${[
    `# ${escapeMarkdown(run.target)}: ${run.outcome}${run.interrupted ? ' (interrupted)' : ''}`,
    escapeMarkdown(outcomeSentence(run)),
    ...declaredSentences(run).map(escapeMarkdown),
    counts(run),
    ...judged,
    ...left,
    ...observed(run),
    `twotoken ${escapeMarkdown(run.tool.version)}, ${escapeMarkdown(run.startedAt)}, ${secondsOf(run.durationMs)} s, seed ${run.seed}`,
  ].join('\n\n')}\n`
}

function counts({ summary }: RunResults): string {
  const shown = verdictOrder.filter((verdict) => summary[verdict] > 0)
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  if (shown.length === 0) return 'No requirement was judged.'
  return [row(shown), row(shown.map(() => '---:')), row(shown.map((verdict) => summary[verdict]))].join('\n')
}

function requirement(
  check: CheckResult,
  groups: readonly FindingGroup[],
  command: string | null,
  isItself: boolean,
): string {
  const lines = groups.map((group) => {
    const [first] = group.findings
    const cases = listOtherCases(group)
    const others = cases === '' ? '' : `\n  - ${escapeMarkdown(cases)}`
    if (first.seen === undefined) return `- ${escapeMarkdown(first.message)}${others}`
    const { seen, expected, advice } = first
    return `- saw ${escapeMarkdown(seen)}${others}\n  - expected ${escapeMarkdown(expected)}\n  - fix: ${escapeMarkdown(advice)}`
  })
  const reason = isItself ? reasonBeside(check) : null
  if (reason !== null) lines.push(`- ${escapeMarkdown(reason)}`)
  const { id, clauses } = check
  const level = groups[0]?.findings[0].level ?? check.level
  const heading = `### ${escapeMarkdown(id)}: ${escapeMarkdown(sentenceOf(check))}`
  const again = command === null ? '' : `Run this check again: \`${command.replaceAll('`', '')}\``
  return [heading, `${level}, ${linkToClauses(clauses)}`, lines.join('\n'), again]
    .filter((text) => text !== '')
    .join('\n\n')
}

function linkToClauses(clauses: readonly string[]): string {
  if (clauses.length === 0) return escapeMarkdown(clauseText(clauses))
  const links = clauses.map((clause) => {
    const address = addressOfClause(clause)
    return address === undefined ? escapeMarkdown(clause) : `[${clause}](${address})`
  })
  return `clause${clauses.length > 1 ? 's' : ''} ${links.join(', ')}`
}

function observed({ observations }: RunResults): string[] {
  const rows = Object.entries(observations).map(
    ([name, value]) => `| ${escapeMarkdown(name)} | ${escapeMarkdown(JSON.stringify(value) ?? '')} |`,
  )
  if (rows.length === 0) return []
  return [
    '## Implementation-defined behaviour',
    ['| observation | value |', '| --- | --- |', ...rows].join('\n'),
  ]
}
