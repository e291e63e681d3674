import { createHash } from 'node:crypto'

/**
 * Shows exchanges on demand, filters requirements, and opens the fold that a link points into. It loads nothing, and the page is complete
 * without it. It contains neither `<` nor `&`, so that the page stays well-formed.
 */
export const script = `
const source = document.getElementById('exchanges')
let parsed
const unpack = ({ pieces, exchanges }) => new Map(exchanges.map(([id, places]) => [
  id,
  places.split('|').map((place) => pieces[place]).join(''),
]))
const all = () => parsed ??= source === null ? new Map() : unpack(JSON.parse(source.textContent))
const pageSize = 50

document.addEventListener('toggle', ({ target }) => {
  const ids = target.dataset.exchanges
  if (ids === undefined) return
  delete target.dataset.exchanges
  target.lastElementChild.remove()
  target.insertAdjacentHTML('beforeend', ids.split(' ').map((id) => all().get(id) ?? '').join(''))
}, true)

const reveal = () => {
  const place = document.getElementById(location.hash.slice(1))
  for (let fold = place; fold; fold = fold.parentElement) if (fold.tagName === 'DETAILS') fold.open = true
  if (place) place.scrollIntoView()
}
addEventListener('hashchange', reveal)
if (location.hash !== '') reveal()

const filter = document.getElementById('requirement-filter')
if (filter) {
  const told = [...document.querySelectorAll('[data-suite]')].map((place) => [
    place,
    (place.title + ' ' + place.textContent).toLowerCase(),
  ])
  const groups = [...document.querySelectorAll('.reason, main > section')]
    .map((group) => [group, [...group.querySelectorAll('[data-suite]')]])
    .filter(([, places]) => places.length > 0)
  const { suite, verdict, text } = filter.elements
  const matches = ({ dataset }, words) =>
    [
      ['', dataset.suite].includes(suite.value),
      ['', dataset.verdict].includes(verdict.value),
      words.includes(text.value.trim().toLowerCase()),
    ].every(Boolean)
  const apply = () => {
    for (const [place, words] of told) place.hidden = !matches(place, words)
    for (const [group, places] of groups) group.hidden = places.every(({ hidden }) => hidden)
    const rows = document.querySelectorAll('.matrix tbody tr')
    for (const row of rows) row.hidden = [...row.querySelectorAll('.tile')].every(({ hidden }) => hidden)
    const tiles = [...document.querySelectorAll('.tile')]
    const left = tiles.filter(({ hidden }) => !hidden).length
    filter.lastElementChild.textContent = left === tiles.length ? '' : left + ' of ' + tiles.length + ' requirements'
  }
  filter.hidden = false
  filter.addEventListener('submit', (event) => event.preventDefault())
  filter.addEventListener('input', apply)
}

const log = document.getElementById('browser')
if (log) {
  const [note, form, status, list, more] = log.children
  let texts
  let matching = []
  let shown = 0
  const show = () => {
    const next = matching.slice(shown, shown + pageSize)
    list.insertAdjacentHTML('beforeend', next.join(''))
    shown += next.length
    more.hidden = shown === matching.length
    status.textContent = matching.length + ' of ' + all().size + ' match'
  }
  const find = () => {
    const wanted = form.elements.filter.value.trim().toLowerCase()
    texts ??= [...all().values()].map((html) => [html, html.replace(/\\u003c[^>]*>/g, '').toLowerCase()])
    matching = texts.filter(([, text]) => text.includes(wanted)).map(([html]) => html)
    shown = 0
    list.replaceChildren()
    show()
  }
  note.remove()
  for (const part of [form, status, list]) part.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('input', find)
  more.addEventListener('click', show)
  const nearby = new IntersectionObserver((entries) => {
    if (entries.every(({ isIntersecting }) => !isIntersecting)) return
    nearby.disconnect()
    find()
  }, { rootMargin: '300px' })
  nearby.observe(log)
}
`

/** Allows a script of the page, its styles, and nothing else. */
export function policyFor(own: string): string {
  const hash = createHash('sha256').update(own).digest('base64')
  return `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}

export const contentSecurityPolicy = policyFor(script)
