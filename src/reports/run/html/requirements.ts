import type { Exchange } from '../../../base/evidence/exchange.ts'
import { type Level, type Verdict, verdictOrder } from '../../../base/verdict.ts'
import type { Finding } from '../../../requirement/judge.ts'
import type { CheckResult } from '../../../requirement/run.ts'
import type { ShownStory } from '../../../requirement/shown-story.ts'
import {
  byReason,
  reasonBeside,
  rerunCommand,
  sentenceOf,
  verdictTitles,
  withVerdict,
} from '../../describe-results.ts'
import { escapeMarkup } from '../../escape.ts'
import { findFixPage, frameworks, frameworksOf, listFixed } from '../../fix-pages.ts'
import { adviseOnOutage, describeWaiting, findOutages } from '../../group-errors.ts'
import { type FindingGroup, groupsUnder, listOtherCases } from '../../group-findings.ts'
import type { RunResults } from '../../results.ts'
import { waitingFor } from '../../wait-for-cause.ts'
import { renderExchange, renderMoreExchanges } from './exchanges.ts'
import {
  anchorOf,
  filterable,
  glyphs,
  linkLastClauses,
  linkToClauses,
  linkToRequirement,
  plural,
  renderSection,
  renderVerdict,
} from './markup.ts'

export function renderMatrix({ checks }: RunResults): string {
  if (checks.length === 0) return ''
  const parts = [...new Set(checks.map(({ role }) => role))]
  const rows = parts.map((part) => {
    const tiles = checks
      .filter(({ role }) => role === part)
      .toSorted((one, two) => one.id.localeCompare(two.id, 'en', { numeric: true }))
      .map(renderTile)
    return `<tr><th scope="row">${part}</th><td><div class="tiles">${tiles.join(' ')}</div></td></tr>`
  })
  const table = `<table class="matrix"><tbody>${rows.join('\n')}</tbody></table>`
  return renderSection('matrix', 'Requirements', `<div class="card">${table}</div>`)
}

function renderTile(check: CheckResult): string {
  const { id, verdict } = check
  return `<a class="tile ${verdict}"${filterable(check)} href="#${anchorOf(id)}" title="${escapeMarkup(`${id}: ${sentenceOf(check)}`)}"><span aria-hidden="true">${glyphs[verdict]}</span> ${escapeMarkup(id)}<span class="unseen"> ${verdict}</span></a>`
}

export function renderOutages({ checks }: RunResults): string {
  const items = findOutages(checks).map(
    (outage) =>
      `<li><p><strong>${escapeMarkup(outage.cause)}</strong></p><p class="meta">${describeWaiting(outage.requirements)}: ${outage.requirements.map(linkToRequirement).join(' ')}</p><p class="meta">${adviseOnOutage(outage, checks)}</p></li>`,
  )
  return renderSection(
    'outages',
    'Outages',
    items.length === 0 ? '' : `<ol class="card todo">${items.join('\n')}</ol>`,
  )
}

/** A change that a violated requirement asks for, and what was seen of it. */
interface Demand {
  readonly check: CheckResult
  readonly change: string
  readonly seen: string
}

/** The changes to make, each once with all requirements that ask for it; for an incomplete run, the inputs to provide. */
export function renderToDo(run: RunResults): string {
  const demands = run.checks.flatMap((check): Demand[] => {
    const [group] = groupsUnder(check, 'fail') ?? []
    if (group === undefined) return []
    const [first] = group.findings
    const [saw, change] =
      first.seen === undefined ? [first.message, sentenceOf(check)] : [`saw ${first.seen}`, first.advice]
    const cases = listOtherCases(group)
    return [{ check, change, seen: cases === '' ? saw : `${saw}; ${cases}` }]
  })
  const changes = [
    ...Map.groupBy(demands, ({ check, change }) => JSON.stringify([check.role, change])).values(),
  ]
    .toSorted((one, two) => countHealed(two, run) - countHealed(one, run))
    .map(renderChange)
  const left = byReason(withVerdict(run, 'untested')).map(
    ({ reason, ids }) => `<li><p>${ids.map(linkToRequirement).join(' ')} ${escapeMarkup(reason)}</p></li>`,
  )
  const list = changes.length > 0 ? changes : run.outcome === 'incomplete' ? left : []
  const title = changes.length > 0 ? 'What to change' : 'What is missing'
  return renderSection(
    'to-do',
    title,
    list.length === 0 ? '' : `<ol class="card todo">${list.join('\n')}</ol>`,
  )
}

function renderChange(demands: readonly Demand[]): string {
  const [first] = demands
  if (first === undefined) return ''
  const seen = demands.map(
    ({ check, seen: text }) =>
      `<p class="meta">${demands.length === 1 ? '' : `${linkToRequirement(check.id)} `}${escapeMarkup(text)}</p>`,
  )
  const ids = demands.map(({ check }) => linkToRequirement(check.id)).join(' ')
  return `<li${filterable(first.check)}><p>${ids} <strong>${escapeMarkup(first.change)}</strong></p>${seen.join('')}</li>`
}

/** How many requirements a change heals: those that ask for it, and those that wait for one of them. */
function countHealed(demands: readonly Demand[], { checks }: RunResults): number {
  return demands.reduce((sum, { check }) => sum + 1 + waitingFor(check.id, checks).length, 0)
}

export function renderJudged(run: RunResults): string {
  const exchanges = new Map<string, Exchange>(run.exchanges.map((exchange) => [exchange.id, exchange]))
  const sections = (['fail', 'error', 'warn'] as const).map((verdict) => {
    const articles = run.checks.flatMap((check) => {
      // Warnings of a violated requirement are in its card.
      const isInCard = verdict === 'warn' && isViolated(check)
      const groups = isInCard ? null : groupsUnder(check, verdict)
      return groups === null ? [] : [renderRequirement(check, { verdict, groups }, run, exchanges)]
    })
    return renderSection(verdict, verdictTitles[verdict], articles.join('\n'))
  })
  return sections.join('')
}

function isViolated({ verdict, waived }: CheckResult): boolean {
  return verdict === 'fail' && waived !== true
}

const shownExchanges = 3

function renderRequirement(
  check: CheckResult,
  { verdict, groups }: { readonly verdict: Verdict; readonly groups: readonly FindingGroup[] },
  run: RunResults,
  exchanges: ReadonlyMap<string, Exchange>,
): string {
  const { id, clauses } = check
  const level = groups[0]?.findings[0].level ?? check.level
  const isItself = verdict === check.verdict
  const reason = isItself ? reasonBeside(check) : null
  const command = isItself ? rerunCommand(check, run) : null
  const warned = verdict === 'fail' && isViolated(check) ? (groupsUnder(check, 'warn') ?? []) : []
  const warnings =
    warned.length === 0
      ? ''
      : `<h4>Also recommended</h4>${warned.map((group) => renderGroup(group, level, exchanges)).join('\n')}`
  const waiting = verdict === 'fail' ? waitingFor(id, run.checks) : []
  const waited =
    waiting.length === 0
      ? ''
      : `<p class="said">${describeWaiting(waiting)}: ${waiting.map(linkToRequirement).join(' ')}</p>`
  const fixes = verdict === 'error' ? [] : listFixed(check).map((fixed) => renderFixPage(fixed, check))
  const anchor = isItself ? ` id="${anchorOf(id)}"` : ''
  const again =
    command === null
      ? ''
      : `<p class="again"><span>Run this check again</span> <code>${escapeMarkup(command)}</code></p>`
  return `<article class="${verdict}"${anchor}${filterable({ role: check.role, verdict })}>
<h3>${renderVerdict(verdict)} <span class="id">${escapeMarkup(id)}</span> <span class="title">${escapeMarkup(sentenceOf(check))}</span></h3>
<p class="meta">${level} · ${linkToClauses(clauses)}${check.waived ? ' · waived' : ''}</p>
${verdict === 'fail' && check.why !== undefined ? `<p class="why">${escapeMarkup(check.why)}</p>\n` : ''}${groups.map((group, index) => renderGroup(group, level, exchanges, index === 0 && verdict === 'fail')).join('\n')}${warnings}
${reason === null ? '' : `<p class="said">${escapeMarkup(reason)}</p>`}
${check.story === undefined || !isItself ? '' : renderStory(check.story, exchanges)}
${waited}${fixes.join('')}
${isItself ? renderKept(check) : ''}${again}
</article>`
}

/** Names of what `--screenshots` has left beside the report. */
function keptFiles({ observations: { keptInFolderClient: kept = [] } }: CheckResult): readonly string[] {
  return Array.isArray(kept) ? kept.filter((file) => /^[\w-]+\.(?:png|zip)$/.test(file)) : []
}

export function keptPictures(check: CheckResult): readonly string[] {
  return keptFiles(check).filter((file) => file.endsWith('.png'))
}

function renderKept(check: CheckResult): string {
  const pictures = keptPictures(check).map(
    (file) =>
      `<a href="./client/${file}"><img src="./client/${file}" alt="The page when ${escapeMarkup(check.id)} failed: ${file}" loading="lazy"/></a>`,
  )
  const traces = keptFiles(check)
    .filter((file) => file.endsWith('.zip'))
    .map(
      (file) =>
        `<p class="again"><span>Open its trace, in the folder of this report</span> <code>npx playwright show-trace client/${file}</code></p>`,
    )
  return `${pictures.length === 0 ? '' : `<p class="pictures">${pictures.join('')}</p>`}${traces.join('')}`
}

function renderFixPage(id: string, check: CheckResult): string {
  const page = findFixPage(id)
  if (page === null) return ''
  const tabs = `fix-${anchorOf(check.id)}-${id}`
  const blocks = frameworksOf(page).map(
    (framework, index) =>
      `<details name="${tabs}" data-framework="${framework}"${index === 0 ? ' open="open"' : ''}><summary>${frameworks[framework].name}</summary><pre>${escapeMarkup(page.code[framework] ?? '')}</pre></details>`,
  )
  return `<details class="fixes"><summary>Fix in code: ${escapeMarkup(page.title)}</summary><p class="meta">${escapeMarkup(page.text).replace(/`([^`]+)`/g, '<code>$1</code>')}</p><div class="tabs">${blocks.join('')}</div></details>`
}

function renderGroup(
  group: FindingGroup,
  level: Level,
  exchanges: ReadonlyMap<string, Exchange>,
  isOpen = false,
): string {
  const [first, ...others] = group.findings
  const opened = renderFinding(first, level, exchanges, isOpen)
  if (others.length === 0) return opened
  const further = others.map((found) => renderFinding(found, level, exchanges)).join('\n')
  return `${opened}
<details class="cases"><summary>${escapeMarkup(listOtherCases(group))}</summary>${further}</details>`
}

function renderFinding(
  finding: Finding,
  levelOfCheck: Level,
  exchanges: ReadonlyMap<string, Exchange>,
  isOpen = false,
): string {
  const { message, level } = finding
  const softer = level === levelOfCheck ? '' : `<p class="meta">${level}</p>`
  const said =
    finding.seen === undefined
      ? `<p class="said">${escapeMarkup(message)}</p>`
      : `<dl><dt>seen</dt><dd>${escapeMarkup(finding.seen)}</dd><dt>expected</dt><dd>${linkLastClauses(finding.expected)}</dd><dt>fix</dt><dd class="change">${escapeMarkup(finding.advice)}</dd></dl>`
  return `<div class="finding">${softer}${said}${renderEvidence(finding, exchanges, isOpen)}</div>`
}

/** The first exchanges in full, the others by id. A call of the mint is inside of a request during which it was made. */
function renderEvidence(finding: Finding, exchanges: ReadonlyMap<string, Exchange>, isOpen: boolean): string {
  const known = finding.evidence.flatMap((id) => exchanges.get(id) ?? [])
  const inside = nestMintCalls(known)
  const outside = known.filter((one) => ![...inside.values()].flat().includes(one))
  const shown = outside
    .slice(0, shownExchanges)
    .map((exchange, index) => {
      const during = [...exchanges.values()].filter((one) => isDuring(one, exchange))
      const isOwn = during.length > 0 && during.length <= mostCaused
      const caused = isOwn ? during : (inside.get(exchange) ?? [])
      return renderExchange(exchange, finding, caused, isOpen && index === 0)
    })
    .join('')
  return `${shown}${renderMoreExchanges(outside.slice(shownExchanges).map(({ id }) => id))}`
}

/** The calls of the mint among the evidence, by the request that they belong to: each request gets one before another gets a second. */
function nestMintCalls(known: readonly Exchange[]): ReadonlyMap<Exchange, readonly Exchange[]> {
  const inside = new Map<Exchange, Exchange[]>()
  for (const call of known) {
    const requests = known.filter((one) => isDuring(call, one))
    const request = requests.find((one) => !inside.has(one)) ?? requests.at(-1)
    if (request !== undefined) inside.set(request, [...(inside.get(request) ?? []), call])
  }
  return inside
}

function isDuring(call: Exchange, { from, to, at, durationMs }: Exchange): boolean {
  if (from === 'backend' || to !== 'backend') return false
  return call.from === 'backend' && call.at >= at && call.at <= at + durationMs
}

/** More are those of others, which the backend served at the same time. */
const mostCaused = 3

export function renderNotJudged(run: RunResults): string {
  const groups = (['untested', 'not-applicable'] as const).flatMap((verdict) => {
    const checks = withVerdict(run, verdict)
    return byReason(checks).map(({ reason, ids }) => {
      const items = checks.filter(({ id }) => ids.includes(id)).map(renderItem)
      return `<div class="reason ${verdict}"><p>${renderVerdict(verdict)} <span class="said">${escapeMarkup(reason)}</span></p><ul>${items.join('')}</ul></div>`
    })
  })
  const content = groups.length === 0 ? '' : `<div class="card">${groups.join('\n')}</div>`
  return renderSection('not-judged', 'Not judged', content)
}

function renderItem(check: CheckResult): string {
  return `<li id="${anchorOf(check.id)}"${filterable(check)}><span class="id">${escapeMarkup(check.id)}</span> ${escapeMarkup(sentenceOf(check))}</li>`
}

export function renderPassed(run: RunResults): string {
  const checks = [...withVerdict(run, 'pass'), ...withVerdict(run, 'info')]
  if (checks.length === 0) return ''
  const rows = checks.map((check) => {
    const ids = [...new Set(check.findings.flatMap(({ evidence }) => evidence))]
    const said = check.reason === null ? '' : `<p class="said meta">${escapeMarkup(check.reason)}</p>`
    return `<li class="${check.verdict}" id="${anchorOf(check.id)}"${filterable(check)}><p>${renderVerdict(check.verdict)} <span class="id">${escapeMarkup(check.id)}</span> ${escapeMarkup(sentenceOf(check))} <span class="time">${check.level} · ${linkToClauses(check.clauses)} · ${check.durationMs} ms</span></p>${said}${renderMoreExchanges(ids, plural(ids.length, 'exchange'))}</li>`
  })
  return renderSection(
    'held',
    'Passed and informational',
    `<details class="card"><summary>${plural(checks.length, 'requirement')}</summary><ul class="held">${rows.join('\n')}</ul></details>`,
  )
}

export function renderFilter({ checks }: RunResults): string {
  if (checks.length === 0) return ''
  const choice = (name: string, label: string, values: readonly string[]) =>
    `<label>${label} <select name="${name}"><option value="">all</option>${values.map((value) => `<option>${value}</option>`).join('')}</select></label>`
  const verdicts = verdictOrder.filter((verdict) => checks.some((check) => check.verdict === verdict))
  return `<form id="requirement-filter" role="search" aria-label="Filter requirements" hidden="hidden">${choice('suite', 'Suite', [...new Set(checks.map(({ role }) => role))])} ${choice('verdict', 'Verdict', verdicts)} <label>Text <input name="text" type="search" placeholder="id or word" autocomplete="off" spellcheck="false"/></label> <span role="status"></span></form>`
}

/** The numbered steps of a story that broke an invariant. */
function renderStory(story: ShownStory, exchanges: ReadonlyMap<string, Exchange>): string {
  const items = story.told.map(({ did, came, evidence }) => {
    const known = evidence.filter((id) => exchanges.has(id))
    const became = came.length === 0 ? '' : `<br/><span class="meta">${escapeMarkup(came.join('; '))}</span>`
    return `<li>${escapeMarkup(did)}${became}${renderMoreExchanges(known, plural(known.length, 'exchange'))}</li>`
  })
  return `<div class="story"><h4>The story</h4><p class="meta">${escapeMarkup(story.opening)}</p><ol>${items.join('')}</ol></div>`
}
