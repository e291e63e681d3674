import type { AuditResult } from '../../../audit/src/api.ts'
import { onOneLine } from '../../base/printable.ts'
import { version } from '../../base/version.ts'
import { escapeMarkup } from '../escape.ts'
import { renderPage } from '../html-page.ts'
import { plural } from '../run/html/markup.ts'
import { renderContents, sizeOf } from './html/contents.ts'
import { renderAccepted, renderFindings } from './html/findings.ts'
import { script } from './html/script.ts'
import { style } from './html/style.ts'
import { renderToDo, verdictOf } from './html/verdict.ts'

/** One self-contained page: the verdict and what to do, then each finding in its place, then all that was audited. */
export function renderAuditHtml(result: AuditResult): string {
  const paths = result.audited.map(({ path }) => onOneLine(path)).join(', ')
  const { sentence } = verdictOf(result)
  const body = `${renderHeader(result, paths)}
<main>
${renderToDo(result)}
${renderFindings(result.findings)}
${renderAccepted(result.accepted ?? [])}
${renderContents(result)}
</main>
<footer>Secrets are shown by kind, length and fingerprint. The same secret has the same fingerprint in every audit; with its rule, it is what a baseline accepts.</footer>`
  return renderPage({ title: escapeMarkup(`${paths}: ${sentence}`), style, body, script })
}

function renderHeader(result: AuditResult, paths: string): string {
  const { findings, gaps, audited } = result
  const { sentence, advice, tone } = verdictOf(result)
  const of = (wanted: string) => findings.filter(({ level }) => level === wanted).length
  const shown = [
    ['fail', of('error'), 'error', '✕'],
    ['warn', of('warning'), 'warning', '!'],
    ['untested', gaps.length, 'gap', '?'],
    ['info', of('note'), 'note', 'i'],
  ] as const
  const counts = shown
    .filter(([, count]) => count > 0)
    .map(
      ([verdict, count, noun, glyph]) =>
        `<li class="${verdict}"><b>${count.toLocaleString('en')}</b> <span><span aria-hidden="true">${glyph}</span> ${count === 1 ? noun : `${noun}s`}</span></li>`,
    )
  const sum = (field: 'entries' | 'bytes' | 'durationMs') =>
    audited.reduce((total, path) => total + path[field], 0)
  const facts = [
    plural(sum('entries'), 'file'),
    `${sizeOf(sum('bytes'))} after decompression`,
    `${(sum('durationMs') / 1000).toLocaleString('en', { maximumFractionDigits: 2 })} s`,
    `twotoken ${version}`,
  ]
  return `<header>
<p class="kicker">Two-token calling flow · audit of what ships</p>
<h1>${escapeMarkup(paths)}</h1>
<div class="outcome ${tone}"><strong>${escapeMarkup(sentence)}</strong><p>${escapeMarkup(advice)}</p></div>
${counts.length === 0 ? '' : `<ul class="counts" aria-label="Findings and gaps">${counts.join('')}</ul>`}
<p class="facts">${facts.join(' · ')}</p>
</header>`
}
