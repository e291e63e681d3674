import { createRedactor } from '../../base/evidence/redact.ts'
import { assertNoSecret } from '../../base/evidence/scan.ts'
import { onOneLine } from '../../base/printable.ts'
import { sentenceOf } from '../../reports/describe-results.ts'
import { renderDiffMarkdown } from '../../reports/diff-markdown.ts'
import {
  type Change,
  type ChangedObservation,
  diffRuns,
  exitCodeOfDiff,
  type RunDiff,
} from '../../reports/diff-runs.ts'
import { writeJson } from '../../reports/escape.ts'
import { readResults } from '../../reports/read-results.ts'
import type { Output } from '../output/output.ts'

export interface DiffOptions {
  readonly older: string
  readonly newer: string
  readonly json: boolean
  /** One table, for a comment on a pull request. */
  readonly markdown: boolean
}

/**
 * `twotoken diff`: what changed between two runs. Returns 1 for a new violation, 3 where a requirement that was
 * judged before is unknown now.
 * @throws TwotokenError `usage` or `secret-in-output`
 */
export async function diff(
  { older, newer, json, markdown }: DiffOptions,
  { stdout }: Output,
): Promise<number> {
  const found = diffRuns(await readResults(older), await readResults(newer))
  const text = json ? writeJson(found) : markdown ? renderDiffMarkdown(found) : diffText(found)
  assertNoSecret('the output of diff', text, createRedactor())
  stdout.write(text)
  return exitCodeOfDiff(found)
}

const headings = {
  newFailures: 'New violations',
  lost: 'No longer judged',
  fixed: 'Fixed',
  changed: 'Changed verdict',
  added: 'New requirements',
  removed: 'Removed requirements',
  stillFailing: 'Existing violations',
} as const

function diffText(found: RunDiff): string {
  const { old, new: now, observations } = found
  const groups = Object.entries(headings).map(([kind, heading]) => {
    const changes = found[kind as keyof typeof headings]
    return group(heading, changes.length, changes.flatMap(linesOf))
  })
  const same = groups.every((text) => text === '') && observations.length === 0
  return [
    runLine('old', old),
    `${runLine('new', now)}\n`,
    ...groups,
    group('Changed observations', observations.length, observations.map(observationLine)),
    same ? 'no changes\n' : '',
  ].join('')
}

function runLine(name: string, { target, startedAt, outcome }: RunDiff['old']): string {
  return `${name}  ${onOneLine(target)}, ${startedAt}: ${outcome}\n`
}

function group(heading: string, count: number, lines: readonly string[]): string {
  return count === 0 ? '' : `${heading} (${count})\n${lines.map((line) => `  ${line}\n`).join('')}\n`
}

function linesOf(change: Change): string[] {
  const { id, old, new: now, says } = change
  const turn = old === now ? now : `${old ?? 'absent'} → ${now ?? 'absent'}`
  return [
    `${onOneLine(id)}  ${turn}  ${onOneLine(sentenceOf(change))}`,
    ...says.map((text) => `  ${onOneLine(text)}`),
  ]
}

function observationLine(change: ChangedObservation): string {
  const value = (key: 'old' | 'new') =>
    Object.hasOwn(change, key) ? JSON.stringify(change[key]) : 'not observed'
  return onOneLine(`${change.name}: ${value('old')} → ${value('new')}`)
}
