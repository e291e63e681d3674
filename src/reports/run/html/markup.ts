import { replaceSecretLabels } from '../../../base/evidence/secret-label.ts'
import type { Verdict } from '../../../base/verdict.ts'
import type { CheckResult } from '../../../requirement/run.ts'
import { addressOfClause } from '../../addresses.ts'
import { clauseText } from '../../describe-results.ts'
import { escapeMarkup } from '../../escape.ts'

/** A sign for each verdict, for readers who cannot tell the colours apart. */
export const glyphs: Readonly<Record<Verdict, string>> = {
  fail: '✕',
  error: '⚡︎',
  warn: '!',
  untested: '?',
  'not-applicable': '–',
  info: 'i',
  pass: '✓',
}

/** A section with a heading that can be linked to; empty without content. */
export function renderSection(id: string, title: string, content: string): string {
  if (content === '') return ''
  return `<section id="${id}" aria-labelledby="${id}-title">\n<h2 id="${id}-title">${escapeMarkup(title)}</h2>\n${content}\n</section>\n`
}

/** Links to the sections of rendered content, behind what the run came to. */
export function renderContents(outcome: string, content: string): string {
  const items = content
    .split('<section id="')
    .slice(1)
    .map((section) => {
      const id = section.slice(0, section.indexOf('"'))
      const heading = `<h2 id="${id}-title">`
      const from = section.indexOf(heading) + heading.length
      return `<li><a href="#${id}">${section.slice(from, section.indexOf('</h2>', from))}</a></li>`
    })
  return `<nav aria-label="Contents">${outcome}<ol>${items.join('')}</ol></nav>`
}

export function highlightSecrets(text: string): string {
  return replaceSecretLabels(
    escapeMarkup(text),
    (shown, kind) => `<span class="secret ${kind}">${shown}</span>`,
  )
}

export function renderVerdict(verdict: Verdict): string {
  return `<span class="plate ${verdict}"><span aria-hidden="true">${glyphs[verdict]}</span> ${verdict}</span>`
}

/** The attributes by which the script filters what is told of a requirement. */
export function filterable({ role, verdict }: Pick<CheckResult, 'role' | 'verdict'>): string {
  return ` data-suite="${role}" data-verdict="${verdict}"`
}

export function linkToRequirement(id: string): string {
  return `<a class="id" href="#${anchorOf(id)}">${escapeMarkup(id)}</a>`
}

function linkEach(clauses: readonly string[]): string {
  const links = clauses.map((clause) => {
    const address = addressOfClause(clause)
    const text = escapeMarkup(clause)
    return address === undefined ? text : `<a href="${address}">${text}</a>`
  })
  return links.join(', ')
}

export function linkToClauses(clauses: readonly string[]): string {
  if (clauses.length === 0) return clauseText(clauses)
  return `clause${clauses.length > 1 ? 's' : ''} ${linkEach(clauses)}`
}

/** Escapes a sentence whose end may name clauses, with a link to each of them: "no token (4.2.1, 7.2)". */
export function linkLastClauses(sentence: string): string {
  const [, named] = / \(([\d., ]+)\)$/.exec(sentence) ?? []
  if (named === undefined) return escapeMarkup(sentence)
  return `${escapeMarkup(sentence.slice(0, -named.length - 2))}(${linkEach(named.split(', '))})`
}

/** An id for a fragment: ids of pacts contain spaces. */
export function anchorOf(id: string): string {
  return `r-${encodeURIComponent(id.toWellFormed()).replace(/[^A-Za-z0-9._-]/g, '_')}`
}

/** A table that can be scrolled by keyboard where it is too wide. */
export function wrapInScroller(label: string, table: string): string {
  return `<div class="card scroll" role="region" aria-label="${escapeMarkup(label)}" tabindex="0">${table}</div>`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
