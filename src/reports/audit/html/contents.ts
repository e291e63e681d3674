import type { AuditResult, Gap } from '../../../../audit/src/api.ts'
import { ruleTexts } from '../../../../audit/src/api.ts'
import { onOneLine } from '../../../base/printable.ts'
import { escapeMarkup } from '../../escape.ts'
import { plural, renderSection } from '../../run/html/markup.ts'
import { plateOf } from './groups.ts'
import { toolFor } from './helpful-tools.ts'
import { sizeOf } from './size.ts'

const mostGaps = 20

export function renderContents({ audited, gaps }: AuditResult): string {
  const items = [...audited.map(renderPath), ...gaps.slice(0, mostGaps).map(renderGap)]
  const rest = gaps.slice(mostGaps).map(renderGap)
  if (rest.length > 0)
    items.push(
      `<li><details class="rest"><summary>${plural(rest.length, 'more gap')}</summary><ul>${rest.join('')}</ul></details></li>`,
    )
  return renderSection('contents', 'What was audited', `<ul class="card contents">${items.join('')}</ul>`)
}

function renderPath({ path, entries, bytes }: AuditResult['audited'][number]): string {
  const amount = `${plural(entries, 'file')}, ${sizeOf(bytes)} after decompression`
  return `<li><code>${escapeMarkup(onOneLine(path))}</code> <span class="meta">${escapeMarkup(amount)}</span></li>`
}

function renderGap({ rule, location, reason }: Gap): string {
  const { advice = '' } = ruleTexts[rule] ?? {}
  const tool = toolFor(reason)
  const help = tool === null ? '' : ` <span class="tool">Tool: <code>${escapeMarkup(tool)}</code></span>`
  const place = onOneLine(location.replaceAll('!', ' › '))
  return `<li class="gap"><p>${plateOf('gap')} <code>${escapeMarkup(place)}</code>: ${escapeMarkup(onOneLine(reason))} <span class="id">${escapeMarkup(rule)}</span></p><p class="meta">${escapeMarkup(advice)}${help}</p></li>`
}
