const element = (id) => document.getElementById(id)
const stateNames = { active: 'Active', 'trial-ended': 'Trial ended', suspended: 'Suspended' }

async function api(path, body) {
  const request =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, request)
  const value = await response.json()
  if (!response.ok) throw new Error(value.error.message)
  return value
}

function say(text, isBad = false) {
  element('status').textContent = text
  element('status').classList.toggle('bad', isBad)
}

/** Runs what a form asks for, with its button held meanwhile, and says what came of it. */
function onSubmit(form, act) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('button')
    button.disabled = true
    try {
      say(await act(Object.fromEntries(new FormData(form))))
    } catch (error) {
      say(`That did not work: ${error.message}.`, true)
    } finally {
      button.disabled = false
    }
  })
}

function cell(text, className = '') {
  const td = document.createElement('td')
  td.textContent = text
  td.className = className
  return td
}

function keyRow(key) {
  const row = document.createElement('tr')
  const name = document.createElement('th')
  name.scope = 'row'
  name.textContent = key.name
  const shown = `${key.prefix}… (${key.characters} characters)`
  row.append(name, cell(shown, 'mono'), cell(key.fingerprint, 'mono'))
  row.append(cell(new Date(key.createdAt).toLocaleString()))
  return row
}

function card(project) {
  const item = element('project-card').content.cloneNode(true).firstElementChild
  item.querySelector('h2').textContent = project.name
  item.querySelector('.badge').textContent = stateNames[project.state] ?? project.state
  item.querySelector('.badge').classList.add(project.state)
  item.querySelector('.plan').textContent =
    project.remainingMints === null ? '' : `Trial: ${project.remainingMints} mints left`
  item.querySelector('.id').textContent = project.id
  item.querySelector('tbody').append(...project.keys.map(keyRow))
  onSubmit(item.querySelector('form'), async ({ name }) => {
    const { key } = await api(`/api/projects/${project.id}/keys`, { name })
    element('key-value').value = key
    element('key-dialog').showModal()
    await refresh()
    return `Created an API key for ${project.name}.`
  })
  return item
}

async function refresh() {
  const { projects } = await api('/api/projects')
  element('project-list').replaceChildren(...projects.map(card))
  const chosen = element('token-project').value
  element('token-project').replaceChildren(...projects.map(({ id, name }) => new Option(name, id)))
  if (projects.some(({ id }) => id === chosen)) element('token-project').value = chosen
}

onSubmit(element('create-project'), async ({ name }) => {
  await api('/api/projects', { name })
  element('create-project').reset()
  await refresh()
  return `Created the project ${name}.`
})

onSubmit(element('create-token'), async ({ projectId, userId, ttlSeconds }) => {
  element('token-result').hidden = true
  const issued = await api(`/api/projects/${projectId}/tokens`, { userId, ttlSeconds: Number(ttlSeconds) })
  element('token-value').value = issued.token
  element('token-note').textContent = `for ${issued.userId}, valid for ${issued.expiresIn} seconds`
  element('token-result').hidden = false
  element('token-value').focus()
  await refresh()
  return 'Generated a calling token.'
})

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    const field = element(button.dataset.copy)
    field.select()
    const copied = await navigator.clipboard.writeText(field.value).then(
      () => true,
      () => false,
    )
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
    say(copied ? 'Copied.' : 'The browser does not let a page copy: press Ctrl+C.', !copied)
  })
}

element('key-close').addEventListener('click', () => element('key-dialog').close())
// However the dialog is left, by its button or by Escape, the key does not stay in the page.
element('key-dialog').addEventListener('close', () => {
  element('key-value').value = ''
})

refresh().catch((error) => say(`The console is not available: ${error.message}.`, true))
