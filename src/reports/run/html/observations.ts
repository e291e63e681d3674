import { z } from 'zod'
import { escapeMarkup } from '../../escape.ts'
import type { RunResults } from '../../results.ts'
import { renderSection, wrapInScroller } from './markup.ts'

/** The behaviour where the specification is silent, by part, without what has its own section. */
export function renderObservations(run: RunResults): string {
  const shown = Object.entries(run.observations).filter(([name]) => !name.endsWith('.secretPlaces'))
  const groups = Map.groupBy(shown, ([name]) => name.split('.')[0] ?? name)
  const tables = [...groups].map(
    ([part, entries]) =>
      `<details class="card"><summary>${escapeMarkup(part)} (${entries.length})</summary>${renderTerms(entries.map(([name, value]) => [name.slice(part.length + 1), value]))}</details>`,
  )
  return renderSection(
    'observed',
    'Implementation-defined behaviour',
    tables.join('\n') + renderOwnObservations(run),
  )
}

function renderOwnObservations({ checks }: RunResults): string {
  const own = checks.flatMap(({ id, observations }) => {
    const entries = Object.entries(observations).filter(([name]) => !name.includes('.'))
    return entries.length === 0
      ? []
      : [`<h3><span class="id">${escapeMarkup(id)}</span></h3>${renderTerms(entries)}`]
  })
  return own.length === 0
    ? ''
    : `<details class="card"><summary>Observations by requirement (${own.length})</summary>${own.join('\n')}</details>`
}

/** Neighbours with the same value whose names differ in their last word are one row: "redirect 301, 302". */
function renderTerms(entries: readonly (readonly [string, unknown])[]): string {
  const rows: { readonly stem: string; readonly shown: string; label: string }[] = []
  for (const [name, value] of entries) {
    const [label, shown] = [labelOf(name), renderValue(value)]
    const [, stem = label, last = ''] = /^(\S.* )(\S+)$/.exec(label) ?? []
    const before = rows.at(-1)
    if (before !== undefined && last !== '' && before.stem === stem && before.shown === shown)
      before.label = `${before.label}, ${last}`
    else rows.push({ stem, shown, label })
  }
  const terms = rows.map(({ label, shown }) => `<div><dt>${escapeMarkup(label)}</dt><dd>${shown}</dd></div>`)
  return `<dl class="terms">${terms.join('')}</dl>`
}

/** The cases of one observation, of which those with the same value are in one row. */
function renderCases(entries: readonly (readonly [string, unknown])[]): string {
  const rows = [...Map.groupBy(entries, ([, value]) => renderValue(value))].map(([shown, alike]) => {
    const names = alike.map(([name]) => escapeMarkup(labelOf(name)))
    return `<div><dt>${names.join(', ')}</dt><dd>${shown}</dd></div>`
  })
  return `<dl class="terms">${rows.join('')}</dl>`
}

function renderValue(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? '<span class="none">none</span>' : value.map(renderValue).join(', ')
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    return entries.length === 0 ? '<span class="none">none</span>' : renderCases(entries)
  }
  if (value === null || value === undefined || value === '')
    return `<span class="none">${value === '' ? 'empty' : 'none'}</span>`
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return `<code>${escapeMarkup(String(value))}</code>`
}

/** Words of names that are written otherwise in a sentence. */
const spelled: Readonly<Record<string, string>> = {
  ttl: 'TTL',
  ttls: 'TTLs',
  jwt: 'JWT',
  url: 'URL',
  id: 'ID',
  ids: 'IDs',
}

/** `shortestTtlSeconds` as "shortest TTL, in seconds"; other names stay unchanged. */
function labelOf(name: string): string {
  if (!/^[a-z]+(?:[A-Z][a-z]*|\d)*$/.test(name)) return name
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]|\d+/g) ?? []
  return words
    .map((word) => spelled[word.toLowerCase()] ?? word.toLowerCase())
    .join(' ')
    .replace(/ (seconds|milliseconds)$/, ', in $1')
}

const cells: Readonly<Record<Whereabouts, string>> = {
  belongs: '<td class="belongs"><span aria-hidden="true">●</span> belongs</td>',
  'out of place': '<td class="stray"><span aria-hidden="true">✕</span> out of place</td>',
  'not seen': '<td class="absent"><span aria-hidden="true">○</span> not seen</td>',
}

const notLookedFor =
  '<td class="absent"><span aria-hidden="true">–</span> <span class="unseen">not checked</span></td>'

export function renderSecretTable(run: RunResults): string {
  const { secrets, rows } = buildSecretTable(run)
  if (rows.length === 0) return ''
  const heads = secrets.map((secret) => `<th scope="col">${escapeMarkup(secret)}</th>`)
  const lines = rows.map(
    ({ place, cells: found }) =>
      `<tr><th scope="row">${escapeMarkup(place)}</th>${found.map((cell) => (cell === null ? notLookedFor : cells[cell])).join('')}</tr>`,
  )
  const table = `<table class="secrets"><thead><tr><th scope="col">place</th>${heads.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`
  return renderSection('secrets', 'Where each secret appeared', wrapInScroller('Secrets by place', table))
}

const whereabouts = ['belongs', 'out of place', 'not seen'] as const
type Whereabouts = (typeof whereabouts)[number]

/** Places by secret; a secret that was not looked for at a place is absent there. */
const secretPlaces = z.record(z.string(), z.record(z.string(), z.enum(whereabouts)))

/** The worst result counts where several requirements report a secret at one place. */
const worstFirst: readonly Whereabouts[] = ['out of place', 'belongs', 'not seen']

/** One table of every observation whose name ends in `.secretPlaces`. */
export function buildSecretTable({ checks }: Pick<RunResults, 'checks'>) {
  const rows = new Map<string, Map<string, Whereabouts>>()
  const secrets = new Set<string>()
  const observed = checks
    .flatMap(({ observations }) => Object.entries(observations))
    .filter(([name]) => name.endsWith('.secretPlaces'))
    .flatMap(([, value]) => Object.entries(secretPlaces.safeParse(value).data ?? {}))
  for (const [place, found] of observed) {
    const row = rows.get(place) ?? new Map<string, Whereabouts>()
    rows.set(place, row)
    for (const [secret, where] of Object.entries(found)) {
      secrets.add(secret)
      const before = row.get(secret) ?? 'not seen'
      row.set(secret, worstFirst.indexOf(before) < worstFirst.indexOf(where) ? before : where)
    }
  }
  const columns = [...secrets]
  return {
    secrets: columns,
    rows: [...rows].map(([place, row]) => ({
      place,
      cells: columns.map((secret) => row.get(secret) ?? null),
    })),
  }
}
