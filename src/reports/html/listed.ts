import type { CheckResult } from '../../requirement/run.ts'
import { escaped } from '../escape.ts'
import { byReason, clauseText, sentenceOf, withVerdict } from '../groups.ts'
import type { RunResults } from '../results.ts'
import { anchorOf, plate, plural, section } from './markup.ts'
import { moreExchangesHtml } from './requirement.ts'

/** What was not judged, gathered under the reason; each requirement keeps its sentence. */
export function notJudgedHtml(run: RunResults): string {
  const groups = (['untested', 'not-applicable'] as const).flatMap((verdict) => {
    const checks = withVerdict(run, verdict)
    return byReason(checks).map(({ reason, ids }) => {
      const items = checks.filter(({ id }) => ids.includes(id)).map(item)
      return `<div class="reason ${verdict}"><p>${plate(verdict)} <span class="said">${escaped(reason)}</span></p><ul>${items.join('')}</ul></div>`
    })
  })
  const content = groups.length === 0 ? '' : `<div class="card">${groups.join('\n')}</div>`
  return section('not-judged', 'What was not judged, and why', content)
}

function item(check: CheckResult): string {
  return `<li id="${anchorOf(check.id)}"><span class="id">${escaped(check.id)}</span> ${escaped(sentenceOf(check))}</li>`
}

/** What held and what was only recorded, each with the exchanges it rests on. */
export function heldHtml(run: RunResults): string {
  const checks = [...withVerdict(run, 'pass'), ...withVerdict(run, 'info')]
  if (checks.length === 0) return ''
  const rows = checks.map((check) => {
    const ids = [...new Set(check.findings.flatMap(({ evidence }) => evidence))]
    const said = check.reason === null ? '' : `<p class="said meta">${escaped(check.reason)}</p>`
    return `<li class="${check.verdict}" id="${anchorOf(check.id)}"><p>${plate(check.verdict)} <span class="id">${escaped(check.id)}</span> ${escaped(sentenceOf(check))} <span class="time">${check.level} · ${escaped(clauseText(check.clauses))} · ${check.durationMs} ms</span></p>${said}${moreExchangesHtml(ids, plural(ids.length, 'exchange'))}</li>`
  })
  return section(
    'held',
    'Held, or only recorded',
    `<details class="card"><summary>${plural(checks.length, 'requirement')}</summary><ul class="held">${rows.join('\n')}</ul></details>`,
  )
}
