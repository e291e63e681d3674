import type { AuditResult, Finding } from '../../../audit/src/api.ts'
import { ruleTexts } from '../../../audit/src/api.ts'
import { onOneLine } from '../../base/printable.ts'
import { groupByRule } from './html/groups.ts'

/** For people: findings by rule with what to do, then what was not audited, then what was. */
export function renderAuditText({ audited, findings, gaps }: AuditResult): string {
  const section = (label: string, rule: string, told: readonly string[]) => {
    const { title = '', advice = '' } = ruleTexts[rule] ?? {}
    return [`${label} ${rule}: ${title}`, ...told.map((one) => `  ${one}`), `  → ${advice}`, '']
  }
  const lines = [
    ...groupByRule(findings).flatMap((group) => section(group.level, group.rule, group.findings.map(lineOf))),
    ...[...new Set(gaps.map(({ rule }) => rule))].sort().flatMap((rule) => {
      const own = gaps.filter((gap) => gap.rule === rule)
      return section(
        'gap',
        rule,
        own.map(({ location, reason }) => onOneLine(`${location}: ${reason}`)),
      )
    }),
  ]
  for (const { path, entries, bytes, durationMs } of audited)
    lines.push(
      onOneLine(`audited ${path}: ${counted(entries, 'file')}, ${counted(bytes, 'byte')}, ${durationMs} ms`),
    )
  const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length
  const counts = (['error', 'warning', 'note'] as const).map((level) => counted(count(level), level))
  lines.push([...counts, counted(gaps.length, 'gap')].join(', '))
  return `${lines.join('\n')}\n`
}

function lineOf(finding: Finding): string {
  const { location, line, column, offset, also = [] } = finding
  const { shown, format, decoder, fingerprint, extent } = finding
  const where =
    line === undefined ? `byte ${offset}` : `line ${line}${column === undefined ? '' : `, column ${column}`}`
  const end = extent === undefined ? '' : ', extent uncertain'
  // One other place is named, and more of them are counted.
  const besides = also.length > 1 ? counted(also.length, 'other place') : also.join()
  const others = also.length === 0 ? '' : `, also in ${besides}`
  return `${onOneLine(`${location} (${where}; ${format}, ${decoder}${end}): ${shown}${others}`)}  ${fingerprint}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
