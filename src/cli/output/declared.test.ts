import { expect, test } from 'vitest'
import type { AbsentPart } from '../../configuration/configuration.ts'
import { renderHtml } from '../../reports/run/html.ts'
import { renderMarkdown } from '../../reports/run/markdown.ts'
import { frozenRun } from '../../reports/testing/frozen-run.ts'
import { summaryText } from './summary.ts'

const [first] = frozenRun.checks

const runWith = (absent: AbsentPart) => ({
  ...frozenRun,
  checks:
    first === undefined
      ? []
      : [{ ...first, verdict: 'not-applicable' as const, reason: 'declared', absent, findings: [] }],
})
const beginnings = (absent: AbsentPart) => {
  const run = runWith(absent)
  return {
    console: summaryText(run, { color: false, reportPath: '' }).split('\n').slice(-5).join('\n'),
    markdown: renderMarkdown(run).split('\n').slice(0, 6).join('\n'),
    html: renderHtml(run).split('</header>')[0],
  }
}

test.each(['console', 'markdown', 'html'] as const)('the %s says what was declared, not judged', (form) => {
  expect(beginnings({ what: 'mintTls', reason: 'no certificates here' })[form]).toMatch(
    /Declared, not judged: .* is absent: no certificates here/,
  )
})

test.each(['console', 'markdown', 'html'] as const)('the %s leaves out other absent parts', (form) => {
  expect(beginnings({ what: 'hooks', reason: 'no operator' })[form]).not.toContain('Declared, not judged')
})
