import type { Exchange } from '../../base/evidence/exchange.ts'
import type { Level } from '../../base/verdict.ts'
import type { Finding } from '../../requirement/judge.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { escaped } from '../escape.ts'
import { clauseText, reasonBeside, seenAndExpected, sentenceOf } from '../groups.ts'
import { commandFor } from '../reproduce.ts'
import type { RunResults } from '../results.ts'
import { exchangeHtml } from './exchange.ts'
import { anchorOf, plate, plural } from './markup.ts'

/** As many exchanges stand with a finding; the others are taken from the log when they are asked for. */
const shownExchanges = 3

/** A requirement that is not as it should be: what was seen and expected, by which clause, on which evidence. */
export function requirementHtml(
  check: CheckResult,
  run: RunResults,
  exchanges: ReadonlyMap<string, Exchange>,
): string {
  const { id, level, clauses, verdict, findings } = check
  const reason = reasonBeside(check)
  const command = commandFor(check, run)
  const again =
    command === null
      ? ''
      : `<p class="again"><span>Once more, alone</span> <code>${escaped(command)}</code></p>`
  return `<article class="${verdict}" id="${anchorOf(id)}">
<h3>${plate(verdict)} <span class="id">${escaped(id)}</span> ${escaped(sentenceOf(check))}</h3>
<p class="meta">${level} · ${escaped(clauseText(clauses))}${check.waived ? ' · waived' : ''}</p>
${findings.map((found) => findingHtml(found, level, exchanges)).join('\n')}
${reason === null ? '' : `<p class="said">${escaped(reason)}</p>`}
${again}
</article>`
}

function findingHtml(
  { message, evidence, level }: Finding,
  levelOfCheck: Level,
  exchanges: ReadonlyMap<string, Exchange>,
): string {
  const parts = seenAndExpected(message)
  const softer = level === levelOfCheck ? '' : `<p class="meta">${level}</p>`
  const said =
    parts === null
      ? `<p class="said">${escaped(message)}</p>`
      : `<dl><dt>seen</dt><dd>${escaped(parts.saw)}</dd><dt>expected</dt><dd>${escaped(parts.expected)}</dd></dl>`
  return `<div class="finding">${softer}${said}${evidenceHtml(evidence, exchanges)}</div>`
}

/** The first exchanges in full, the others by their ids. */
function evidenceHtml(evidence: readonly string[], exchanges: ReadonlyMap<string, Exchange>): string {
  const known = evidence.flatMap((id) => exchanges.get(id) ?? [])
  const shown = known.slice(0, shownExchanges).map(exchangeHtml).join('')
  return `${shown}${moreExchangesHtml(known.slice(shownExchanges).map(({ id }) => id))}`
}

/** Filled in from the log when it is opened; without scripts it names the exchanges. */
export function moreExchangesHtml(ids: readonly string[], text = `${ids.length} more`): string {
  if (ids.length === 0) return ''
  return `<details class="more" data-exchanges="${escaped(ids.join(' '))}"><summary>${escaped(text)}</summary><p class="meta">${plural(ids.length, 'exchange')} in results.json: ${escaped(ids.join(', '))}</p></details>`
}
