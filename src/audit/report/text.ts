import type { AuditResult, Finding } from '../finding.ts'
import { ruleTexts } from '../rules.ts'

/** For people: findings by rule with what to do, then what was not audited, then what was. */
export function renderText({ audited, findings, gaps }: AuditResult): string {
  const lines: string[] = []
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort()
  for (const rule of rules) {
    const group = findings.filter((finding) => finding.rule === rule)
    lines.push(`${group[0]?.level ?? ''} ${rule}: ${ruleTexts[rule]?.title ?? ''}`, ...group.map(lineOf))
    lines.push(`  ${ruleTexts[rule]?.advice ?? ''}`, '')
  }
  if (gaps.length > 0)
    lines.push('not audited:', ...gaps.map((gap) => `  ${gap.rule} ${gap.location}: ${gap.reason}`), '')
  for (const { path, entries, bytes, durationMs } of audited)
    lines.push(`audited ${path}: ${entries} files, ${bytes} bytes, ${durationMs} ms`)
  const errors = findings.filter(({ level }) => level === 'error').length
  lines.push(`${errors} errors, ${findings.length - errors} other findings, ${gaps.length} gaps`)
  return `${lines.join('\n')}\n`
}

function lineOf({ location, line, offset, shown, decoder, fingerprint, extent }: Finding): string {
  const where = line === undefined ? `byte ${offset}` : `line ${line}`
  const end = extent === undefined ? '' : ', extent uncertain'
  return `  ${location} (${where}, ${decoder}${end}): ${shown}  ${fingerprint}`
}
