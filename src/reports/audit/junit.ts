import type { AuditResult } from '../../../audit/src/api.ts'
import { ruleTexts } from '../../../audit/src/api.ts'
import { onOneLine } from '../../base/printable.ts'
import { countCases, type JunitCase, writeJunit } from '../junit-document.ts'

/** One test case for each finding and each gap, or a single passing one. */
export function renderAuditJunit({ audited, findings, gaps }: AuditResult): string {
  const reported: JunitCase[] = [
    ...findings.map(({ rule, level, location, shown, fingerprint, also = [] }): JunitCase => {
      const others = also.length === 0 ? '' : `, also in ${also.join(', ')}`
      const text = onOneLine(`${ruleTexts[rule]?.title ?? rule}: ${shown}${others} (${fingerprint})`)
      const named = { classname: rule, name: onOneLine(location) }
      return level === 'error'
        ? { ...named, outcome: { element: 'failure', message: text } }
        : { ...named, systemOut: text }
    }),
    ...gaps.map(
      ({ rule, location, reason }): JunitCase => ({
        classname: rule,
        name: onOneLine(location),
        outcome: { element: 'skipped', message: onOneLine(reason) },
      }),
    ),
  ]
  const cases =
    reported.length > 0
      ? reported
      : audited.map(({ path }): JunitCase => ({ classname: 'audit', name: onOneLine(path) }))
  const { tests, failures, skipped } = countCases(cases)
  const time = audited.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000
  const properties = audited.map(({ path, entries, bytes }) => ({
    name: onOneLine(`audited ${path}`),
    value: `${entries} files, ${bytes} bytes`,
  }))
  const attributes = { name: 'twotoken audit', tests, failures, skipped, time }
  return writeJunit({}, [{ attributes, properties, cases }], true)
}
