import { onOneLine } from '../../base/printable.ts'
import { escapeMarkup } from '../escape.ts'
import { renderPage } from '../html-page.ts'
import { plural, renderContents, renderSection, renderVerdict, wrapInScroller } from '../run/html/markup.ts'
import { style } from '../run/html/style.ts'
import {
  type History,
  type LastChange,
  listLastChanges,
  nameOf,
  type RequirementHistory,
  type TargetHistory,
} from './history.ts'

/** One self-contained page: what the last runs changed, what is flaky, then each target's requirements over time. */
export function renderHistoryHtml(history: History): string {
  const { targets, unread } = history
  const runs = targets.reduce((sum, target) => sum + target.runs.length, 0)
  const title = `${plural(runs, 'run')} of ${plural(targets.length, 'target')}`
  const changes = listLastChanges(history)
  const content = [
    renderSection('changes', 'The last runs', renderLastRuns(history) + changes.map(renderChange).join('')),
    renderSection('flaky', 'Flaky', renderFlaky(targets)),
    ...targets.map((target, index) =>
      renderSection(`target-${index + 1}`, nameOf(target), renderTarget(target)),
    ),
    renderSection(
      'unread',
      'Left out',
      unread.length === 0
        ? ''
        : `<ul class="card">${unread.map(({ file, why }) => `<li><code>${shown(file)}</code> ${shown(why)}</li>`).join('')}</ul>`,
    ),
  ].join('\n')
  const body = `<header id="top"><p class="kicker">twotoken history</p><h1>${title}</h1></header>
${renderContents(`<a class="top" href="#top">${title}</a>`, content)}
<main>
${content}
</main>
<footer>A strip has one column a run, the earliest on the left: full height is a violation, half height was not judged, a line is neither. Flaky is a requirement whose violation came or went three times or more.</footer>`
  return renderPage({ title, style: style + ownStyle, body })
}

const ownStyle = `
.strip { display: block; width: 100%; min-width: 8rem; height: 1.5rem; }
.strip rect { fill: var(--tone); }
.strip .pass, .strip .info { opacity: 0.55; }
.nights td { vertical-align: middle; }
.nights .wide { width: 45%; }
.nights td:last-child { white-space: nowrap; }
`

const shown = (text: string) => escapeMarkup(onOneLine(text))
const day = (time: string | null) => (time === null ? '' : time.slice(0, 10))

function renderLastRuns({ targets }: History): string {
  const rows = targets.map((target, index) => {
    const last = target.runs.at(-1)
    if (last === undefined) return ''
    return `<tr><th scope="row"><a href="#target-${index + 1}">${shown(nameOf(target))}</a></th><td><span class="plate ${last.outcome}">${last.outcome}</span></td><td>${shown(last.startedAt.slice(0, 16).replace('T', ' '))}</td><td>${plural(target.runs.length, 'run')}</td></tr>`
  })
  return wrapInScroller(
    'The last run of each target',
    `<table><thead><tr><th scope="col">Target</th><th scope="col">Outcome</th><th scope="col">Last run (UTC)</th><th scope="col">Runs</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  )
}

const changeTexts: Readonly<Record<LastChange['kind'], readonly [tone: string, text: string]>> = {
  violated: ['fail', 'New violation'],
  lost: ['untested', 'No longer judged'],
  fixed: ['pass', 'Fixed'],
}

function renderChange({ target, requirement: { id, title }, kind }: LastChange): string {
  const [tone, text] = changeTexts[kind]
  return `<article class="${tone}"><h3><span class="plate ${tone}">${text}</span> <span class="id">${shown(id)}</span> ${shown(title)}</h3><p class="meta">${shown(nameOf(target))}</p></article>`
}

function renderFlaky(targets: readonly TargetHistory[]): string {
  const items = targets.flatMap((target) =>
    target.requirements
      .filter(({ isFlaky }) => isFlaky)
      .map(
        ({ id, title, changes }) =>
          `<li><span class="id">${shown(id)}</span> ${shown(title)}: changed ${changes} times in ${shown(nameOf(target))}</li>`,
      ),
  )
  return items.length === 0 ? '' : `<ul class="card plain">${items.join('')}</ul>`
}

/** Requirements that were ever violated or not judged first; those that always passed are folded. */
function renderTarget(target: TargetHistory): string {
  const isCalm = ({ verdicts }: RequirementHistory) =>
    verdicts.every((verdict) => ['pass', 'info', 'not-applicable', null].includes(verdict))
  const [calm, restless] = [
    target.requirements.filter(isCalm),
    target.requirements.filter((one) => !isCalm(one)),
  ]
  const folded =
    calm.length === 0
      ? ''
      : `<details class="card"><summary>${plural(calm.length, 'requirement')} without a violation or a warning in any run</summary><p>${calm.map(({ id }) => `<span class="id">${shown(id)}</span>`).join(' ')}</p></details>`
  return (restless.length === 0 ? '' : renderTable(target, restless)) + folded
}

/** The verdict of today is before the strip, which a phone shows when it is scrolled. */
function renderTable(target: TargetHistory, requirements: readonly RequirementHistory[]): string {
  const { runs } = target
  const rows = requirements.map(
    (one) =>
      `<tr><th scope="row"><span class="id">${shown(one.id)}</span> ${shown(one.title)}</th><td>${renderState(one)}</td><td class="wide">${renderStrip(one, runs)}</td></tr>`,
  )
  return wrapInScroller(
    nameOf(target),
    `<table class="nights"><thead><tr><th scope="col">Requirement</th><th scope="col">Now</th><th scope="col">${day(runs[0]?.startedAt ?? null)} to ${day(runs.at(-1)?.startedAt ?? null)}</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  )
}

function renderState({ verdicts, failingSince, fixedOn, firstSeen, isFlaky }: RequirementHistory): string {
  const now = verdicts.at(-1)
  const said = [
    failingSince === null ? '' : `violated since ${day(failingSince)}`,
    failingSince === null || firstSeen === failingSince ? '' : `first seen ${day(firstSeen)}`,
    fixedOn === null ? '' : `fixed on ${day(fixedOn)}, first seen ${day(firstSeen)}`,
    isFlaky ? 'flaky' : '',
  ].filter((text) => text !== '')
  return `${now === null || now === undefined ? '' : renderVerdict(now)}<div class="meta">${said.join('<br/>')}</div>`
}

const heights: Readonly<Record<string, number>> = { fail: 20, error: 10, untested: 10, warn: 6 }

/** One rectangle for each stretch of runs with the same verdict, so that a thousand runs are a small page. */
function renderStrip({ id, verdicts }: RequirementHistory, runs: TargetHistory['runs']): string {
  const rectangles: string[] = []
  for (let start = 0, end = 0; start < verdicts.length; start = end) {
    const verdict = verdicts[start]
    while (end < verdicts.length && verdicts[end] === verdict) end += 1
    if (verdict === null || verdict === undefined) continue
    const height = heights[verdict] ?? 3
    const [from, to] = [day(runs[start]?.startedAt ?? null), day(runs[end - 1]?.startedAt ?? null)]
    const when = from === to ? from : `${from} to ${to}`
    rectangles.push(
      `<rect class="${verdict}" x="${start}" y="${20 - height}" width="${end - start}" height="${height}"><title>${verdict}, ${when}</title></rect>`,
    )
  }
  const count = verdicts.filter((verdict) => verdict === 'fail').length
  return `<svg class="strip" role="img" aria-label="${shown(id)}: violated in ${count} of ${plural(verdicts.length, 'run')}" viewBox="0 0 ${verdicts.length} 20" preserveAspectRatio="none">${rectangles.join('')}</svg>`
}
