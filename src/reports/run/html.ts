import { onOneLine } from '../../base/printable.ts'
import { verdictOrder } from '../../base/verdict.ts'
import { declaredSentences, outcomeSentence, secondsOf, worstViolation } from '../describe-results.ts'
import { escapeMarkup } from '../escape.ts'
import { renderPage } from '../html-page.ts'
import type { RunResults } from '../results.ts'
import { renderExchangeBrowser } from './html/exchanges.ts'
import { glyphs, linkToRequirement, plural, renderContents, renderSection } from './html/markup.ts'
import { renderObservations, renderSecretTable } from './html/observations.ts'
import {
  keptPictures,
  renderFilter,
  renderJudged,
  renderMatrix,
  renderNotJudged,
  renderOutages,
  renderPassed,
  renderToDo,
} from './html/requirements.ts'
import { script } from './html/script.ts'
import { style } from './html/style.ts'
import { renderTokenFlow } from './html/token-flow.ts'

/** One page that needs no network: the outcome, then what to do, then violations, errors and warnings, then everything else. */
export function renderHtml(run: RunResults): string {
  const title = `${run.target}: ${run.outcome}`
  const content = sections
    .map((render) => render(run))
    .join('\n')
    .trim()
  // A phone shows the outcome wherever one reads.
  const top = `<a class="top ${run.outcome}" href="#top">${escapeMarkup(outcomeSentence(run))}</a>`
  const body = `${renderHeader(run)}
${content === '' ? '' : renderContents(top, content)}
<main>
${content}
</main>
<footer>Secrets are shown by kind, length and a fingerprint that is valid for this run only.</footer>`
  const hasPictures = run.checks.some((check) => keptPictures(check).length > 0)
  return renderPage(escapeMarkup(onOneLine(title)), { style, body, script }, hasPictures)
}

const sections = [
  renderOutages,
  renderToDo,
  renderFilter,
  renderMatrix,
  renderJudged,
  renderNotJudged,
  renderTokenFlow,
  renderSecretTable,
  renderObservations,
  renderPassed,
  renderArtefacts,
  renderExchangeBrowser,
]

function renderHeader(run: RunResults): string {
  const { summary, outcome, checks } = run
  const worst = worstViolation(run)
  const consequence =
    worst?.why === undefined ? '' : `<p>${escapeMarkup(worst.why)} ${linkToRequirement(worst.id)}</p>`
  const shown = verdictOrder.filter((verdict) => summary[verdict] > 0).toReversed()
  const bar = shown.map((verdict) => `<span class="${verdict}" style="flex:${summary[verdict]}"></span>`)
  const counts = shown.map(
    (verdict) =>
      `<li class="${verdict}"><b>${summary[verdict]}</b> <span><span aria-hidden="true">${glyphs[verdict]}</span> ${verdict}</span></li>`,
  )
  const interrupted = run.interrupted
    ? '<p>The run was interrupted: this report contains the results up to then.</p>'
    : ''
  const declared = declaredSentences(run).map((sentence) => `<p>${escapeMarkup(sentence)}</p>`)
  const tally =
    shown.length === 0
      ? ''
      : `<div class="bar" aria-hidden="true">${bar.join('')}</div>\n<ul class="counts" aria-label="Requirements by verdict">${counts.join('')}</ul>`
  return `<header id="top">
<p class="kicker">Two-token calling flow · conformance report</p>
<h1>${escapeMarkup(onOneLine(run.target))}</h1>
<div class="outcome ${outcome}"><p><strong>${escapeMarkup(outcomeSentence(run))}</strong> <span class="plate">${outcome}</span></p>${consequence}${declared.join('')}${interrupted}</div>
${tally}
<p class="facts">${escapeMarkup(describeRun(run))} · ${plural(checks.length, 'requirement')} · ${plural(run.exchanges.length, 'exchange')}</p>
</header>`
}

function describeRun({ startedAt, durationMs, seed, tool }: RunResults): string {
  const moment = startedAt.replace('T', ' ').replace(/(?::\d\d)?(?:\.\d+)?Z$/, ' UTC')
  return `${moment} · ${secondsOf(durationMs)} s · twotoken ${onOneLine(tool.version)} · seed ${seed}`
}

function renderArtefacts({ artefacts = [] }: RunResults): string {
  const items = artefacts.map(
    ({ title, file, requirements = [] }) =>
      `<li>${escapeMarkup(title)}: <code>${escapeMarkup(file)}</code> ${requirements.map(linkToRequirement).join(' ')}</li>`,
  )
  return renderSection(
    'artefacts',
    'Other files of this run',
    items.length === 0 ? '' : `<ul class="card plain">${items.join('')}</ul>`,
  )
}
