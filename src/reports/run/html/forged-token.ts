import type { ShownToken, TokenParts } from '../../../base/evidence/exchange.ts'
import { escapeMarkup } from '../../escape.ts'
import { highlightSecrets } from './markup.ts'

/** A forged token beside the genuine one that it was made from, a row a parameter or claim; differences are marked. */
export function renderForgedToken({ genuine, ...forged }: ShownToken): string {
  const rows = (['header', 'claims'] as const).flatMap((part) => listRows(part, forged, genuine))
  const head = genuine === undefined ? ['forged'] : ['genuine', 'forged', 'differs']
  const cells = head.map((title) => `<th scope="col">${title}</th>`)
  return `<div class="token" role="region" aria-label="A forged token, decoded" tabindex="0"><table><caption>forged token, decoded</caption><thead><tr><td></td>${cells.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function listRows(part: keyof TokenParts, forged: TokenParts, genuine: TokenParts | undefined): string[] {
  const names = new Set([...Object.keys(genuine?.[part] ?? {}), ...Object.keys(forged[part] ?? {})])
  const rows = [...names].map((name) =>
    renderRow(
      `${part} ${name}`,
      showField(forged[part], name),
      genuine === undefined ? undefined : showField(genuine[part], name),
    ),
  )
  if (forged[part] !== null) return rows
  return [renderRow(part, 'no JSON object', genuine === undefined ? undefined : 'a JSON object'), ...rows]
}

function renderRow(name: string, forged: string, genuine: string | undefined): string {
  const differs = genuine !== undefined && genuine !== forged
  const shown = (genuine === undefined ? [forged] : [genuine, forged]).map(
    (value) => `<td><code>${highlightSecrets(value)}</code></td>`,
  )
  const mark =
    genuine === undefined
      ? ''
      : `<td>${differs ? '<span class="unseen">yes</span><span aria-hidden="true">≠</span>' : ''}</td>`
  return `<tr${differs ? ' class="differs"' : ''}><th scope="row">${escapeMarkup(name)}</th>${shown.join('')}${mark}</tr>`
}

/** A claim may have the name of something that every object inherits: `toString`. */
function showField(fields: TokenParts[keyof TokenParts], name: string): string {
  return fields !== null && Object.hasOwn(fields, name) ? JSON.stringify(fields[name]) : '–'
}
