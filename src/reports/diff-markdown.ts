import { sentenceOf } from './describe-results.ts'
import type { Change, RunDiff } from './diff-runs.ts'
import { escapeMarkdown } from './escape-markdown.ts'

/** Meaning of each change for the reader of a pull request; changes for the worse stand first. */
const turns = [
  ['newFailures', '❌ worse'],
  ['lost', '❔ worse'],
  ['changed', 'changed'],
  ['fixed', '✅ better'],
  ['added', 'new'],
  ['removed', 'removed'],
] as const

/** Two runs as one table, for a comment on a pull request. */
export function renderDiffMarkdown(found: RunDiff): string {
  const { newFailures, lost, fixed, stillFailing, observations } = found
  const rows = turns.flatMap(([kind, turn]) => found[kind].map((change) => rowOf(turn, change)))
  const head = ['| | requirement | before | now | |', '| --- | --- | --- | --- | --- |']
  const rest = [
    stillFailing.length === 0
      ? ''
      : `Violated before and now: ${stillFailing.map(({ id }) => id).join(', ')}.`,
    observations.length === 0 ? '' : `${observations.length} observations changed.`,
  ].filter((text) => text !== '')
  return `${[
    `### twotoken: ${escapeMarkdown(found.new.target)} is ${found.new.outcome}`,
    `${newFailures.length + lost.length} worse, ${fixed.length} better`,
    ...(rows.length === 0 ? ['No verdict changed.'] : [[...head, ...rows].join('\n')]),
    ...rest.map(escapeMarkdown),
  ].join('\n\n')}\n`
}

/** A table on a pull request shows what a finding says; a long one is in the report. */
const longest = 300

function rowOf(turn: string, change: Change): string {
  const [says = ''] = change.says
  const shown = says.length > longest ? `${says.slice(0, says.lastIndexOf(' ', longest))} …` : says
  const cells = [
    turn,
    `**${escapeMarkdown(change.id)}** ${escapeMarkdown(sentenceOf(change))}`,
    change.old ?? 'absent',
    change.new ?? 'absent',
    escapeMarkdown(shown),
  ]
  return `| ${cells.join(' | ')} |`
}
