import { type AuditResult, type Finding, type Gap, ruleTexts } from '../../../audit/src/api.ts'
import { onOneLine } from '../../base/printable.ts'
import { version } from '../../base/version.ts'
import { escapeMarkup } from '../escape.ts'
import { renderPage } from '../html-page.ts'
import { plural, renderSection } from '../run/html/markup.ts'
import { renderAccepted, renderFindings } from './html/findings.ts'
import { anchorOfGroup, groupByRule, placesOf, plateOf, type RuleGroup } from './html/groups.ts'
import { script } from './html/script.ts'
import { style } from './html/style.ts'

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
  return renderPage(escapeMarkup(`${paths}: ${sentence}`), { style, body, script })
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

const mostGaps = 20

function renderContents({ audited, gaps }: AuditResult): string {
  const paths = audited.map(({ path, entries, bytes }) => {
    const amount = `${plural(entries, 'file')}, ${sizeOf(bytes)} after decompression`
    return `<li><code>${escapeMarkup(onOneLine(path))}</code> <span class="meta">${escapeMarkup(amount)}</span></li>`
  })
  const items = [...paths, ...gaps.slice(0, mostGaps).map(renderGap)]
  const rest = gaps.slice(mostGaps).map(renderGap)
  if (rest.length > 0)
    items.push(
      `<li><details class="rest"><summary>${plural(rest.length, 'more gap')}</summary><ul>${rest.join('')}</ul></details></li>`,
    )
  return renderSection('contents', 'What was audited', `<ul class="card contents">${items.join('')}</ul>`)
}

function renderGap({ rule, location, reason }: Gap): string {
  const { advice = '' } = ruleTexts[rule] ?? {}
  const tool = tools.find(([pattern]) => pattern.test(reason))?.[1] ?? ''
  const help = tool === '' ? '' : ` <span class="tool">Tool: <code>${escapeMarkup(tool)}</code></span>`
  const place = onOneLine(location.replaceAll('!', ' › '))
  return `<li class="gap"><p>${plateOf('gap')} <code>${escapeMarkup(place)}</code>: ${escapeMarkup(onOneLine(reason))} <span class="id">${escapeMarkup(rule)}</span></p><p class="meta">${escapeMarkup(advice)}${help}</p></li>`
}

/** A program that makes readable what the audit cannot read, by what a gap says; many gaps name theirs. FILE is the file. */
const tools: readonly (readonly [reason: RegExp, tool: string])[] = [
  [/\bunpack it with\b/, ''],
  [/\bUnity bundle/, 'UnityPy or AssetRipper'],
  [/^encrypted file/, 'gpg -d, age -d or openssl enc -d, with your key'],
  [/\bencrypted\b(?!.*FairPlay)|\bpassword/i, '7z x FILE, with the password'],
  [
    /containers deep|too large to be opened|over the size limit|entries or bytes/,
    '7z x FILE, then audit the folder',
  ],
]

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A number of bytes in decimal units: `48.2 MB`. */
function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const digits = power === 0 ? 0 : 1
  const shown = (bytes / 1000 ** power).toLocaleString('en', { maximumFractionDigits: digits })
  return `${shown} ${bytes === 1 ? 'byte' : units[power]}`
}

interface Verdict {
  readonly sentence: string
  readonly advice: string
  readonly tone: 'nonconformant' | 'incomplete' | 'warn' | 'conformant'
}

/** Sums up the audit: violations first, then unreadable parts, then warnings. */
export function verdictOf({ findings, gaps, audited }: AuditResult): Verdict {
  const errors = findings.filter(({ level }) => level === 'error')
  const warnings = findings.filter(({ level }) => level === 'warning')
  const verdict = (tone: Verdict['tone'], sentence: string, advice: string) => ({ tone, sentence, advice })
  if (errors.length > 0) {
    const advice = `Do not release this build. ${firstStep(errors)}`
    const kinds = listKinds(errors)
    return verdict(
      'nonconformant',
      `${kinds.charAt(0).toUpperCase()}${kinds.slice(1)} in what ships.`,
      advice,
    )
  }
  if (audited.every(({ entries }) => entries === 0))
    return verdict('incomplete', 'Nothing was audited.', 'Check that this is the path that you ship.')
  if (gaps.length > 0)
    return verdict(
      'incomplete',
      `No violation in what could be read, and ${plural(gaps.length, 'gap')}.`,
      'What cannot be read may contain a key: make it readable as described below, and audit it again.',
    )
  if (warnings.length > 0)
    return verdict(
      'warn',
      `No violation, and ${plural(warnings.length, 'warning')} to check.`,
      'Check each place below; what is harmless can be accepted in a baseline.',
    )
  const sentence = 'No server key, no calling JWT and no call to the mint.'
  return verdict('conformant', sentence, 'Everything was read. There is nothing to do.')
}

const kinds: readonly (readonly [kind: Finding['kind'], one: string])[] = [
  ['key', 'server key'],
  ['jwt', 'calling JWT'],
  ['mint-call', 'call to the mint'],
]

/** "2 server keys and 1 calling JWT": the same secret in several places is one. */
function listKinds(errors: readonly Finding[]): string {
  const parts = kinds.flatMap(([wanted, one]) => {
    const found = new Set(errors.flatMap(({ kind, fingerprint }) => (kind === wanted ? [fingerprint] : [])))
    const many = wanted === 'mint-call' ? 'calls to the mint' : `${one}s`
    return found.size === 0 ? [] : [plural(found.size, one, many)]
  })
  if (parts.length === 0) return plural(errors.length, 'violation')
  return new Intl.ListFormat('en').format(parts)
}

function firstStep(errors: readonly Finding[]): string {
  const has = (wanted: Finding['kind']) => errors.some(({ kind }) => kind === wanted)
  if (has('key')) return 'Revoke the key first: removing it from the next build does not take it back.'
  if (has('jwt')) return 'Fetch calling tokens from your backend at run time.'
  return 'Call your own token route instead, and mint there.'
}

/** One line for all that asks for the same, the most urgent first, then one for the gaps. */
function renderToDo({ findings, gaps }: AuditResult): string {
  const groups = groupByRule(findings).filter(({ level }) => level !== 'note')
  const steps = Map.groupBy(groups, ({ level, rule }) => `${level} ${ruleTexts[rule]?.advice}`)
  const items = [...steps.values()].map(renderStep)
  if (gaps.length > 0)
    items.push(
      `<li><p>${plateOf('gap')} <strong>Make readable what could not be audited, and audit it again.</strong></p><p class="meta"><a href="#contents">${plural(gaps.length, 'gap')}</a> in what was audited</p></li>`,
    )
  return renderSection(
    'to-do',
    'What to do',
    items.length === 0 ? '' : `<ol class="card todo">${items.join('')}</ol>`,
  )
}

function renderStep(groups: readonly RuleGroup[]): string {
  const [first] = groups
  if (first === undefined) return ''
  const { advice = '' } = ruleTexts[first.rule] ?? {}
  const reasons = groups.map(
    (group) =>
      `<li><a class="id" href="#${anchorOfGroup(group)}">${escapeMarkup(group.rule)}</a> ${escapeMarkup(ruleTexts[group.rule]?.title ?? '')} (${plural(placesOf(group.findings), 'place')})</li>`,
  )
  return `<li><p>${plateOf(first.level)} <strong>${escapeMarkup(advice)}</strong></p><ul class="reasons">${reasons.join('')}</ul></li>`
}
