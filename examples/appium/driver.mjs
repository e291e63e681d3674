// Has Appium operate an app, for twotoken: node driver.mjs appium.json. Reads a request per line and answers each, as
// docs/client.md describes. What to tap is in appium.json; nothing here knows your app.
import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const {
  server,
  capabilities,
  setUp = [],
  tearDown = [],
  steps,
  state,
} = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
const findMs = 20_000
const retryMs = 250

/** WebDriver: the value of the response; throws with the server's own message. */
async function ask(method, path, body) {
  const response = await fetch(server + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const { value } = await response.json()
  if (!response.ok) throw new Error(value?.message ?? `Appium answered ${response.status}`)
  return value
}

/** A fresh session: the app starts signed out unless a capability says otherwise (appium:noReset). */
async function start() {
  for (const command of setUp) execSync(command, { stdio: ['ignore', 2, 2] })
  const { sessionId } = await ask('POST', '/session', {
    capabilities: { alwaysMatch: capabilities, firstMatch: [{}] },
  })
  return `/session/${sessionId}`
}
const starting = start()
starting.catch(() => undefined)

/** "~name" is an accessibility id, "//…" an XPath, anything else an id. */
function locatorOf(selector) {
  if (selector.startsWith('~')) return { using: 'accessibility id', value: selector.slice(1) }
  return { using: selector.startsWith('/') ? 'xpath' : 'id', value: selector }
}

async function find(session, selector) {
  for (const deadline = Date.now() + findMs; ; ) {
    try {
      const found = await ask('POST', `${session}/element`, locatorOf(selector))
      return `${session}/element/${found[elementKey] ?? found.ELEMENT}`
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`no ${selector}: ${error.message}`)
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

/** Taps and types what appium.json says; {name} in a text is a field of the user. */
async function follow(list, user = {}) {
  const session = await starting
  for (const { tap, type, text = '' } of list) {
    const element = await find(session, tap ?? type)
    if (tap !== undefined) await ask('POST', `${element}/click`, {})
    else
      await ask('POST', `${element}/value`, {
        text: text.replaceAll(/\{(\w+)\}/g, (_, name) => String(user[name] ?? '')),
      })
  }
}

const actions = {
  // The app signs in by itself: its session is read from its traffic.
  signIn: async ({ user }) => {
    await follow(steps.signIn, user)
    return { userId: user.userId }
  },
  connect: () => follow(steps.connect),
  signOut: () => follow(steps.signOut),
  disconnect: () => follow(steps.disconnect),
  state: async () => {
    const shown = await ask('GET', `${await find(await starting, state.element)}/text`)
    return state.texts[shown] ?? 'idle'
  },
}

const can = [...(steps.disconnect ? ['disconnect'] : []), ...(state ? ['state'] : [])]
process.stdout.write(`${JSON.stringify({ ready: true, can })}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  let answer
  try {
    answer = { result: (await actions[request.do](request)) ?? null }
  } catch (error) {
    answer = { error: error.message }
  }
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer })}\n`)
}
try {
  await ask('DELETE', await starting)
} finally {
  for (const command of tearDown) execSync(command, { stdio: ['ignore', 2, 2] })
}
