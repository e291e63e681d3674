import { revealScript } from '../../html-page.ts'

/** The page is complete without it, and stays well-formed: it contains neither `<` nor `&`. */
export const script = `${revealScript}
const source = document.getElementById('exchanges')
let parsed
const packed = () => parsed ??= source === null ? { pieces: [], exchanges: [], evidence: {} } : JSON.parse(source.textContent)
let unpacked
const unpack = ({ pieces, exchanges }) => new Map(exchanges.map(([id, places]) => [
  id,
  places.split('|').map((place) => pieces[place]).join(''),
]))
const all = () => unpacked ??= unpack(packed())
const pageSize = 50

document.addEventListener('toggle', ({ target }) => {
  const ids = target.dataset.exchanges
  if (ids === undefined) return
  delete target.dataset.exchanges
  target.lastElementChild.remove()
  target.insertAdjacentHTML('beforeend', ids.split(' ').map((id) => all().get(id) ?? '').join(''))
}, true)

const addCopyButton = (place, label, text) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = label
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text())
    button.textContent = 'Copied'
  })
  place.append(button)
}
for (const place of document.querySelectorAll('.again'))
  addCopyButton(place, 'Copy command', () => place.querySelector('code').textContent)

const variables = { 'api-key': 'API_KEY', session: 'SESSION' }
const quote = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'"
/** Arguments of a shell: what the report hides comes from a variable of that name. */
const argument = (text) => text.split(/(\\u2039[^\\u203a]*\\u203a)/).map((part) => {
  const kind = /^\\u2039([\\w-]+)/.exec(part)?.[1]
  if (kind === undefined) return part === '' ? '' : quote(part)
  return '"$' + (variables[kind] ?? kind.toUpperCase().replaceAll('-', '_')) + '"'
}).join('')
const asShell = (request) => {
  const [start, ...rest] = request.textContent.split('\\n')
  const [method, url] = [start.slice(0, start.indexOf(' ')), start.slice(start.indexOf(' ') + 1)]
  const end = rest.indexOf('')
  const headers = end === -1 ? rest : rest.slice(0, end)
  const body = end === -1 ? [] : ['--data-raw', argument(rest.slice(end + 1).join('\\n'))]
  const own = headers.filter((line) => !/^(?:user-agent|host|connection|content-length):/i.test(line))
  return ['curl -i -X', method, argument(url), ...own.flatMap((line) => ['-H', argument(line)]), ...body].join(' ')
}
const offerRequest = (exchange) => {
  const request = exchange.querySelector('pre')
  if (exchange.dataset.curl !== undefined || request === null) return
  exchange.dataset.curl = ''
  if (/^[A-Z]+ https?:/.test(request.textContent))
    addCopyButton(exchange.querySelector('figcaption'), 'Copy curl', () => asShell(request))
}

/** A long message is shown from its first mark on. */
const showMarks = (place) => {
  for (const message of place.querySelectorAll('pre')) {
    const mark = message.querySelector('mark')
    if (mark) message.scrollTop = mark.offsetTop - message.offsetTop - 48
  }
}
for (const exchange of document.querySelectorAll('.exchange[open]')) {
  offerRequest(exchange)
  showMarks(exchange)
}

const chosen = 'twotoken-framework'
const stored = () => {
  try {
    return localStorage.getItem(chosen)
  } catch {
    return null
  }
}
document.addEventListener('toggle', ({ target }) => {
  if (!target.open) return
  if (target.className === 'exchange') offerRequest(target)
  showMarks(target)
  if (target.className === 'fixes') {
    const tab = [...target.querySelectorAll('[data-framework]')].find(({ dataset }) => dataset.framework === stored())
    if (tab) tab.open = true
  }
}, true)
document.addEventListener('click', ({ target }) => {
  const framework = target.closest('.tabs summary')?.parentElement.dataset.framework
  if (framework === undefined) return
  try {
    localStorage.setItem(chosen, framework)
  } catch {}
})

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
  const [note, form, status, table, more] = log.children
  const list = table.querySelector('tbody')
  const heads = table.querySelectorAll('th').length
  const unfold = (button, row, exchange) => {
    const isOpen = button.getAttribute('aria-expanded') === 'true'
    button.setAttribute('aria-expanded', String(!isOpen))
    if (isOpen) return row.nextElementSibling.remove()
    const opened = document.createElement('tr')
    const cell = opened.insertCell()
    cell.colSpan = heads
    cell.append(...[...exchange.cloneNode(true).children].slice(1))
    row.after(opened)
    offerRequest(cell)
  }
  const rowOf = (html) => {
    const holder = document.createElement('template')
    holder.innerHTML = html
    const exchange = holder.content.firstElementChild
    const row = document.createElement('tr')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = exchange.querySelector('.x').textContent
    button.setAttribute('aria-expanded', 'false')
    button.addEventListener('click', () => unfold(button, row, exchange))
    row.insertCell().append(button)
    for (const name of ['time', 'way', 'what', 'case']) {
      const cell = row.insertCell()
      cell.className = name
      const said = exchange.querySelector('summary .' + name)
      if (name === 'time') cell.textContent = said.textContent.replace('at ', '')
      else if (said) cell.append(...said.cloneNode(true).childNodes)
    }
    return row
  }
  let texts
  let matching = []
  let shown = 0
  const show = () => {
    const next = matching.slice(shown, shown + pageSize)
    list.append(...next.map(rowOf))
    shown += next.length
    more.hidden = shown === matching.length
    status.textContent = matching.length + ' of ' + all().size + ' match'
  }
  const find = () => {
    const wanted = form.elements.filter.value.trim().toLowerCase()
    const evidence = packed().evidence[form.elements.requirement.value]?.split(' ')
    texts ??= [...all()].map(([id, html]) => [id, html, html.replace(/\\u003c[^>]*>/g, '').toLowerCase()])
    matching = texts
      .filter(([id, , text]) => [text.includes(wanted), evidence?.includes(id) ?? true].every(Boolean))
      .map(([, html]) => html)
    shown = 0
    list.replaceChildren()
    show()
  }
  note.remove()
  for (const id of Object.keys(packed().evidence).sort()) form.elements.requirement.add(new Option(id))
  for (const part of [form, status, table]) part.hidden = false
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
