import type { AuditResult, Finding } from '../../../../audit/src/api.ts'
import { ruleTexts } from '../../../../audit/src/api.ts'
import { escapeMarkup } from '../../escape.ts'
import { plural, renderSection } from '../../run/html/markup.ts'
import { anchorOfGroup, groupByRule, placesOf, plateOf, type RuleGroup } from './groups.ts'

export interface Verdict {
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
export function renderToDo({ findings, gaps }: AuditResult): string {
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
