import { type AuditResult, type Finding, ruleTexts } from '../../../../audit/src/api.ts'
import { onOneLine } from '../../../base/printable.ts'
import { escapeMarkup } from '../../escape.ts'
import { plural, renderSection } from '../../run/html/markup.ts'
import { anchorOfGroup, groupByRule, placesOf, plateOf, type RuleGroup, tones } from './groups.ts'

/** More than a reader looks through; the other formats have all of them. */
const mostPlaces = 5000
const mostSecrets = 20
const mostPlacesOfSecret = 5
const mostOthers = 500

/** Each finding in its place, by rule, and of a rule by secret: one that ships in ten places has to be changed once. */
export function renderFindings(findings: readonly Finding[]): string {
  if (findings.length === 0) return ''
  const groups = groupByRule(findings)
  let left = mostPlaces
  const articles = groups.map((group) => {
    const shown = { ...group, findings: group.findings.slice(0, left) }
    left -= shown.findings.length
    return shown.findings.length === 0 ? '' : renderGroup(shown)
  })
  const rest =
    findings.length <= mostPlaces
      ? ''
      : `<p class="meta">${plural(findings.length - mostPlaces, 'more place')}: see the audit with --format json.</p>`
  return renderSection('findings', 'Findings', `${renderFilter(groups)}${articles.join('\n')}${rest}`)
}

function renderFilter(groups: readonly RuleGroup[]): string {
  const options = groups.map((group) => {
    const title = ruleTexts[group.rule]?.title ?? ''
    return `<option value="${anchorOfGroup(group)}">${escapeMarkup(`${group.level} ${group.rule}: ${title} (${placesOf(group.findings)})`)}</option>`
  })
  return `<form id="finding-filter" hidden="" role="search" aria-label="Findings">
<label>Rule <select name="rule"><option value="">all</option>${options.join('')}</select></label>
<label>Text <input name="text" type="search" placeholder="path, format, fingerprint" autocomplete="off"/></label>
<span role="status"></span>
</form>
`
}

function renderGroup(group: RuleGroup): string {
  const { rule, level, findings } = group
  const { title = rule, advice = '' } = ruleTexts[rule] ?? {}
  const secrets = [...Map.groupBy(findings, ({ fingerprint }) => fingerprint).values()].map(renderSecret)
  const list = foldRest(secrets, mostSecrets, 'secret', 'found')
  const content =
    level === 'note'
      ? `<details><summary>${plural(placesOf(findings), 'place')}</summary>${list}</details>`
      : list
  return `<article class="${tones[level]}" id="${anchorOfGroup(group)}" data-rule="${anchorOfGroup(group)}" aria-labelledby="${anchorOfGroup(group)}-title">
<h3 id="${anchorOfGroup(group)}-title">${plateOf(level)} ${escapeMarkup(title)} <span class="id">${escapeMarkup(rule)}</span></h3>
<p class="why">${escapeMarkup(ruleReasons[rule] ?? '')}</p>
<p><strong>${escapeMarkup(advice)}</strong></p>
${content}
</article>`
}

function renderSecret(findings: readonly Finding[]): string {
  const [first] = findings
  if (first === undefined) return ''
  const { kind, shown, fingerprint } = first
  const places = foldRest(findings.flatMap(renderPlaces), mostPlacesOfSecret, 'place', 'places')
  return `<li><p class="what"><span class="secret ${colours[kind]}">${escapeMarkup(onOneLine(shown))}</span> <code class="meta">${escapeMarkup(fingerprint)}</code></p>${places}</li>`
}

function foldRest(items: readonly string[], most: number, noun: string, name: string): string {
  const list = (some: readonly string[]) => `<ul class="${name}">${some.join('')}</ul>`
  // A fold for one item is longer than the item.
  if (items.length <= most + 1) return list(items)
  return `${list(items.slice(0, most))}<details class="rest"><summary>${plural(items.length - most, `more ${noun}`)}</summary>${list(items.slice(most))}</details>`
}

function renderPlaces(finding: Finding): string[] {
  const { location, also = [] } = finding
  const others = also.slice(0, mostOthers).map((other) => renderPlace(other, ''))
  const rest = also.length - others.length
  return [
    renderPlace(location, describePlace(finding)),
    ...others,
    ...(rest > 0 ? [`<li class="meta">${plural(rest, 'more place')}</li>`] : []),
  ]
}

function renderPlace(location: string, description: string): string {
  return `<li class="place"><p class="where">${renderLocation(location)} <span class="meta">${escapeMarkup(description)}</span></p></li>`
}

/** `app.apk › assets/index.js`, with the innermost file in bold. */
function renderLocation(location: string): string {
  const at = location.lastIndexOf('!') + 1
  const outer = location.slice(0, at).replaceAll('!', ' › ')
  return `<code><span class="in">${escapeMarkup(onOneLine(outer.trim()))}${at === 0 ? '' : ' '}</span><b>${escapeMarkup(onOneLine(location.slice(at)))}</b></code>`
}

function describePlace({ line, column, offset, format, decoder, extent }: Finding): string {
  const at = line === undefined ? `byte ${offset.toLocaleString('en')}` : `line ${line}`
  const where = column === undefined ? at : `${at}, column ${column}`
  const form = decoder === format ? format : `${format}, ${decoder}`
  return onOneLine(`${where} · ${form}${extent === undefined ? '' : ' · extent uncertain'}`)
}

const colours: Readonly<Record<Finding['kind'], string>> = {
  key: 'api-key',
  jwt: 'calling-jwt',
  'mint-call': 'session',
  prefix: 'api-key',
  identifier: 'other',
  exposure: 'other',
}

/** Renders the findings that the baseline accepts: nothing has to be done about them before their day. */
export function renderAccepted(accepted: NonNullable<AuditResult['accepted']>): string {
  const items = accepted.map(
    ({ finding, reason, expires }) =>
      `<li><p class="where">${plateOf(finding.level)} <span class="id">${escapeMarkup(finding.rule)}</span> ${renderLocation(finding.location)} <span class="meta">${escapeMarkup(describePlace(finding))}</span></p><p class="meta">${escapeMarkup(onOneLine(`${finding.shown}, ${finding.fingerprint}`))}</p><p>Accepted until ${escapeMarkup(expires)}: ${escapeMarkup(onOneLine(reason))}</p></li>`,
  )
  return renderSection(
    'accepted',
    'Accepted by the baseline',
    items.length === 0
      ? ''
      : `<details class="card"><summary>${plural(items.length, 'finding')}</summary><ul class="held">${items.slice(0, mostPlaces).join('')}</ul></details>`,
  )
}

const readable =
  'Anyone who installs the app or opens the page can read it and mint calling tokens for every user.'
const unread = 'What cannot be read may contain a key, so the audit is incomplete.'

/** Why each rule matters, for readers who have not read the specification. */
export const ruleReasons: Readonly<Record<string, string>> = {
  'AUD-001': readable,
  'AUD-002': 'If it is a key, anyone who has the app can mint calling tokens with it.',
  'AUD-003': 'It is most likely a name in the code. The audit lists it so that you can tell.',
  'AUD-004':
    'Code that contains the prefix may assemble a key at run time, which no audit of a file can follow.',
  'AUD-005': `The script puts the key together when it runs. ${readable}`,
  'AUD-006': `Encoding does not protect a key. ${readable}`,
  'AUD-007': `An XOR with one byte does not protect a key. ${readable}`,
  'AUD-010': 'Anyone who has the app can connect to signaling as the user of this token until it expires.',
  'AUD-020':
    'An app that mints needs the server key. Calls to the mint belong in a backend that has checked the session.',
  'AUD-021':
    'If this is the mint and not a route of your own backend, the app needs the server key to call it.',
  'AUD-030': 'It shows sources and settings that the release does not need, and often a key.',
  'AUD-090': unread,
  'AUD-091': unread,
  'AUD-092': unread,
  'AUD-093': unread,
  'AUD-094': unread,
  'AUD-095': 'A path that contains nothing proves nothing about what ships.',
  'AUD-096': 'Every byte was searched, but a string that only the format can put together may be missed.',
  'AUD-097':
    'Two headers describe the same entry differently: programs that open it may see another content than the audit.',
  'AUD-098': 'A key may be among the strings that the script decodes only when it runs.',
}
