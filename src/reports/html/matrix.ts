import type { CheckResult } from '../../requirement/run.ts'
import { escaped } from '../escape.ts'
import { sentenceOf, verdictOrder } from '../groups.ts'
import type { RunResults } from '../results.ts'
import { anchorOf, glyphs, section } from './markup.ts'

/** Every requirement once: a row per part, a column per verdict that came up. */
export function matrixHtml({ checks }: RunResults): string {
  if (checks.length === 0) return ''
  const parts = [...new Set(checks.map(({ role }) => role))]
  const shown = verdictOrder.filter((verdict) => checks.some((check) => check.verdict === verdict))
  const heads = shown.map(
    (verdict) =>
      `<th scope="col" class="${verdict}"><span aria-hidden="true">${glyphs[verdict]}</span> ${verdict}</th>`,
  )
  const rows = parts.map((part) => {
    const cells = shown.map((verdict) => {
      const here = checks.filter((check) => check.role === part && check.verdict === verdict)
      const tiles = here.length === 0 ? '' : `<div class="tiles">${here.map(tile).join(' ')}</div>`
      return `<td class="${verdict}${tiles === '' ? ' none' : ''}" data-verdict="${verdict}">${tiles}</td>`
    })
    return `<tr><th scope="row">${part}</th>${cells.join('')}</tr>`
  })
  const table = `<table class="matrix"><thead><tr><td></td>${heads.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`
  return section('matrix', 'Requirements', `<div class="card">${table}</div>`)
}

/** The number alone where the row names the part already. */
function tile(check: CheckResult): string {
  const { id, verdict } = check
  const [, short = id] = /^[A-Z]+-(\d+[A-Z]?)$/.exec(id) ?? []
  return `<a class="tile ${verdict}" href="#${anchorOf(id)}" aria-label="${escaped(`${id}, ${verdict}`)}" title="${escaped(`${id}: ${sentenceOf(check)}`)}">${escaped(short)}</a>`
}
