import type { Finding } from '../check/judge.ts'
import type { CheckResult } from '../check/run-check.ts'
import type { Level, Verdict } from '../check/verdict.ts'
import type { Exchange } from '../evidence/exchange.ts'
import { escaped, onOneLine } from './escape.ts'
import {
  byReason,
  clauseText,
  outcomeSentences,
  reasonBeside,
  secondsOf,
  seenAndExpected,
  sentenceOf,
  verdictOrder,
  verdictTitles,
  withVerdict,
} from './groups.ts'
import { exchangeHtml, exchangeLine } from './html-exchange.ts'
import { style } from './html-style.ts'
import type { RunResults } from './results.ts'

/** A page that needs nothing else: the outcome first, then what to look at, then what was only recorded. */
export function renderHtml(run: RunResults): string {
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]))
  const title = `${run.target}: ${run.outcome}`
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="robots" content="noindex"/>
<title>${escaped(onOneLine(title))}</title>
<style>${style}</style>
</head>
<body>
${head(run)}
<main>
${(['fail', 'error', 'warn'] as const).map((verdict) => looked(run, verdict, exchanges)).join('')}
${silent(run)}
${notJudged(run)}
${held(run)}
</main>
<footer>twotoken ${escaped(run.tool.version)}. Secrets are shown by kind, length and a fingerprint that holds for this run alone.</footer>
</body>
</html>
`
}

function head(run: RunResults): string {
  const counts = verdictOrder.map(
    (verdict) =>
      `<li class="${verdict}${run.summary[verdict] === 0 ? ' none' : ''}"><b>${run.summary[verdict]}</b> ${verdict}</li>`,
  )
  const interrupted = run.interrupted
    ? '<p>The run was interrupted: this is what it had judged by then.</p>'
    : ''
  const facts = `${run.startedAt}, ${secondsOf(run.durationMs)} s, ${run.checks.length} requirements, seed ${run.seed}`
  return `<header>
<p class="kicker">Two-token calling flow, conformance of</p>
<h1>${escaped(onOneLine(run.target))}</h1>
<div class="outcome ${run.outcome}"><strong>${run.outcome}</strong><p>${outcomeSentences[run.outcome]}</p>${interrupted}</div>
<ul class="counts">${counts.join('')}</ul>
<p class="facts">${escaped(facts)}</p>
</header>`
}

function section(title: string, content: string): string {
  return content === '' ? '' : `<section>\n<h2>${escaped(title)}</h2>\n${content}\n</section>\n`
}

function looked(run: RunResults, verdict: Verdict, exchanges: ReadonlyMap<string, Exchange>): string {
  const checks = withVerdict(run, verdict)
  const title = `${verdictTitles[verdict]} (${checks.length})`
  return section(title, checks.map((check) => requirement(check, exchanges)).join('\n'))
}

function requirement(check: CheckResult, exchanges: ReadonlyMap<string, Exchange>): string {
  const { id, level, clauses, verdict, findings } = check
  const reason = reasonBeside(check)
  return `<article class="${verdict}" id="${escaped(id)}">
<h3><span class="id">${escaped(id)}</span> ${escaped(sentenceOf(check))}</h3>
<p class="meta">${level}, ${escaped(clauseText(clauses))}. More: <code>twotoken explain ${escaped(id)}</code></p>
${findings.map((found) => finding(found, level, exchanges)).join('\n')}
${reason === null ? '' : `<p class="said">${escaped(reason)}</p>`}
</article>`
}

function finding(
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
  const shown = evidence.flatMap((id) => exchanges.get(id) ?? [])
  const folded = shown.map(
    (exchange) =>
      `<details><summary>${escaped(exchangeLine(exchange))}</summary>${exchangeHtml(exchange)}</details>`,
  )
  return `<div class="finding">${softer}${said}${folded.join('')}</div>`
}

function silent(run: RunResults): string {
  const whole = rows(Object.entries(run.observations))
  const single = run.checks.flatMap(({ id, observations }) => {
    const own = Object.entries(observations).filter(([name]) => !name.includes('.'))
    return own.length === 0 ? [] : [`<h3><span class="id">${escaped(id)}</span></h3>${table(rows(own))}`]
  })
  const folded =
    single.length === 0
      ? ''
      : `<details class="info"><summary>recorded by single requirements (${single.length})</summary>${single.join('\n')}</details>`
  return section('What it does where the specification is silent', table(whole) + folded)
}

function rows(entries: readonly (readonly [string, unknown])[]): string[] {
  return entries.map(
    ([name, value]) =>
      `<tr><th scope="row">${escaped(name)}</th><td><code>${escaped(JSON.stringify(value) ?? '–')}</code></td></tr>`,
  )
}

function table(content: readonly string[]): string {
  return content.length === 0 ? '' : `<div class="table"><table>${content.join('\n')}</table></div>`
}

function notJudged(run: RunResults): string {
  const reasons = (['untested', 'not-applicable'] as const).flatMap((verdict) =>
    byReason(withVerdict(run, verdict)).map(
      ({ reason, ids }) =>
        `<tr class="${verdict}"><th scope="row">${ids.map((id) => `<span class="id">${escaped(id)}</span>`).join(' ')}</th><td>${verdict}: ${escaped(reason)}</td></tr>`,
    ),
  )
  return section('What was not judged, and why', table(reasons))
}

function held(run: RunResults): string {
  const lines = (['pass', 'info'] as const).flatMap((verdict) =>
    withVerdict(run, verdict).map(
      (check) =>
        `<tr class="${verdict}"><th scope="row" class="short"><span class="id">${escaped(check.id)}</span></th><td>${escaped(sentenceOf(check))} <span class="time">${verdict}, ${check.durationMs} ms</span></td></tr>`,
    ),
  )
  const folded =
    lines.length === 0
      ? ''
      : `<details><summary>${lines.length} requirements</summary>${table(lines)}</details>`
  return section('Held, or only recorded', folded)
}
