import { escaped } from '../escape.ts'
import type { RunResults } from '../results.ts'
import { secretTableOf, type Whereabouts } from '../secret-places.ts'
import { scrollable, section } from './markup.ts'

const cells: Readonly<Record<Whereabouts, string>> = {
  belongs: '<td class="belongs"><span aria-hidden="true">●</span> belongs</td>',
  'out of place': '<td class="stray"><span aria-hidden="true">✕</span> out of place</td>',
  'not seen': '<td class="absent"><span aria-hidden="true">○</span> not seen</td>',
}

const notLookedFor =
  '<td class="absent"><span aria-hidden="true">–</span> <span class="unseen">not looked for</span></td>'

/** Which secret was seen at which place. */
export function secretsHtml(run: RunResults): string {
  const { secrets, rows } = secretTableOf(run)
  if (rows.length === 0) return ''
  const heads = secrets.map((secret) => `<th scope="col">${escaped(secret)}</th>`)
  const lines = rows.map(
    ({ place, cells: found }) =>
      `<tr><th scope="row">${escaped(place)}</th>${found.map((cell) => (cell === null ? notLookedFor : cells[cell])).join('')}</tr>`,
  )
  const table = `<table class="secrets"><thead><tr><th scope="col">place</th>${heads.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`
  return section('secrets', 'Where each secret was seen', scrollable('Secrets by place', table))
}
