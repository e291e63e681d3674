import type { AuditResult, Finding } from '../../../audit/src/api.ts'
import { ruleTexts } from '../../../audit/src/api.ts'
import { onOneLine } from '../../base/printable.ts'

/** For people: findings by rule with what to do, then what was not audited, then what was. */
export function renderAuditText({ audited, findings, gaps }: AuditResult): string {
  const lines: string[] = []
  for (const level of ['error', 'warning', 'note'] as const) {
    const ofLevel = findings.filter((finding) => finding.level === level)
    for (const rule of [...new Set(ofLevel.map((finding) => finding.rule))].sort()) {
      const group = ofLevel.filter((finding) => finding.rule === rule)
      lines.push(`${level} ${rule}: ${ruleTexts[rule]?.title ?? ''}`, ...group.map(lineOf))
      lines.push(`  → ${ruleTexts[rule]?.advice ?? ''}`, '')
    }
  }
  for (const rule of [...new Set(gaps.map((gap) => gap.rule))].sort()) {
    lines.push(`gap ${rule}: ${ruleTexts[rule]?.title ?? ''}`)
    for (const gap of gaps)
      if (gap.rule === rule) lines.push(`  ${onOneLine(`${gap.location}: ${gap.reason}`)}`)
    lines.push(`  → ${ruleTexts[rule]?.advice ?? ''}`, '')
  }
  for (const { path, entries, bytes, durationMs } of audited)
    lines.push(
      onOneLine(`audited ${path}: ${counted(entries, 'file')}, ${counted(bytes, 'byte')}, ${durationMs} ms`),
    )
  const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length
  lines.push(
    [
      counted(count('error'), 'error'),
      counted(count('warning'), 'warning'),
      counted(count('note'), 'note'),
      counted(gaps.length, 'gap'),
    ].join(', '),
  )
  return `${lines.join('\n')}\n`
}

function lineOf({
  location,
  line,
  column,
  offset,
  shown,
  format,
  decoder,
  fingerprint,
  extent,
  also = [],
}: Finding): string {
  const where =
    line === undefined ? `byte ${offset}` : `line ${line}${column === undefined ? '' : `, column ${column}`}`
  const end = extent === undefined ? '' : ', extent uncertain'
  const others = also.length === 0 ? '' : `, ${describeOthers(also)}`
  return `  ${onOneLine(`${location} (${where}; ${format}, ${decoder}${end}): ${shown}${others}`)}  ${fingerprint}`
}

const mostNamed = 1

/** Says where a secret is besides: one place is named, and more of them are counted. */
function describeOthers(also: readonly string[]): string {
  return `also in ${also.length > mostNamed ? counted(also.length, 'other place') : also.join()}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
