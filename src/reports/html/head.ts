import { escaped, onOneLine } from '../escape.ts'
import { outcomeSentence, secondsOf, verdictOrder } from '../groups.ts'
import type { RunResults } from '../results.ts'
import { glyphs, plural } from './markup.ts'

/** The outcome, then how many requirements came out how. */
export function headHtml(run: RunResults): string {
  const { summary, outcome, checks } = run
  const shown = verdictOrder.filter((verdict) => summary[verdict] > 0)
  const bar = shown.map((verdict) => `<span class="${verdict}" style="flex:${summary[verdict]}"></span>`)
  const counts = shown.map(
    (verdict) =>
      `<li class="${verdict}"><b>${summary[verdict]}</b> <span><span aria-hidden="true">${glyphs[verdict]}</span> ${verdict}</span></li>`,
  )
  const interrupted = run.interrupted
    ? '<p>The run was interrupted: this is what it had judged by then.</p>'
    : ''
  const tally =
    shown.length === 0
      ? ''
      : `<div class="bar" aria-hidden="true">${bar.join('')}</div>\n<ul class="counts" aria-label="Requirements by verdict">${counts.join('')}</ul>`
  return `<header>
<p class="kicker">Two-token calling flow · conformance report</p>
<h1>${escaped(onOneLine(run.target))}</h1>
<div class="outcome ${outcome}"><strong>${outcome}</strong><p>${escaped(outcomeSentence(run))}</p>${interrupted}</div>
${tally}
<p class="facts">${escaped(factsOf(run))} · ${plural(checks.length, 'requirement')} · ${plural(run.exchanges.length, 'exchange')}</p>
</header>`
}

function factsOf({ startedAt, durationMs, seed, tool }: RunResults): string {
  const moment = startedAt.replace('T', ' ').replace(/(?::\d\d)?(?:\.\d+)?Z$/, ' UTC')
  return `${moment} · ${secondsOf(durationMs)} s · twotoken ${onOneLine(tool.version)} · seed ${seed}`
}
