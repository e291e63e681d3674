import type { AuditResult } from '../model/finding.ts'
import { ruleTexts } from '../model/rules.ts'

/** One test case for each finding and each gap, or a single passing one. */
export function renderJunit({ audited, findings, gaps }: AuditResult): string {
  const failed = findings.filter(({ level }) => level === 'error').length
  const cases = [
    ...findings.map(({ rule, level, location, shown, fingerprint }) => {
      const text = escaped(`${ruleTexts[rule]?.title ?? rule}: ${shown} (${fingerprint})`)
      const inner = level === 'error' ? `<failure message="${text}"/>` : `<system-out>${text}</system-out>`
      return `<testcase classname="${rule}" name="${escaped(location)}">${inner}</testcase>`
    }),
    ...gaps.map(
      ({ rule, location, reason }) =>
        `<testcase classname="${rule}" name="${escaped(location)}"><skipped message="${escaped(reason)}"/></testcase>`,
    ),
  ]
  if (cases.length === 0)
    cases.push(...audited.map(({ path }) => `<testcase classname="audit" name="${escaped(path)}"/>`))
  const seconds = audited.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000
  const counts = `tests="${cases.length}" failures="${failed}" skipped="${gaps.length}" time="${seconds}"`
  const properties = audited.map(
    ({ path, entries, bytes }) =>
      `<property name="audited ${escaped(path)}" value="${entries} files, ${bytes} bytes"/>`,
  )
  const lines = [`<properties>${properties.join('')}</properties>`, ...cases].join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="twotoken audit" ${counts}>\n${lines}\n</testsuite></testsuites>\n`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For an attribute; what XML has no way to write is left out. */
function escaped(text: string): string {
  return text
    .replace(/[\ufffe\uffff]|[\p{Cs}\p{Cc}]/gu, '')
    .replace(/[&<>"']/g, (char) => entities[char] ?? '')
}
