import * as leaf from '../../base/schema/leaves.ts'
import type { Dialogue } from '../output/terminal.ts'
import { type BackendPlan, type Login, loginOf, type TestUser, testUsers } from './backend-plan.ts'

export interface ConfirmedPlan {
  readonly plan: BackendPlan
  readonly passwords: Partial<Readonly<Record<TestUser, string>>>
}

/** Resolves with what is typed; Enter accepts the proposal, and null leaves it out. */
type Ask = (what: string, proposal: string | null) => Promise<string | null>

/** Asks what the sources do not show for certain; Enter accepts a proposal. Null: the user has no such backend here. */
export async function askBackend(dialogue: Dialogue, proposed: BackendPlan): Promise<ConfirmedPlan | null> {
  const { family } = proposed
  if (family !== null && !(await dialogue.confirm(`found a ${family.language} project: test it?`, true)))
    return null
  dialogue.say('Enter accepts a proposal; - leaves it out')
  const ask: Ask = async (what, proposal) => {
    const typed = (await dialogue.ask(what, { proposal: proposal ?? undefined })).trim()
    if (typed === '-') return null
    return typed === '' ? proposal : typed
  }
  const startCommand = await ask('command that starts the backend (-: you start it)', proposed.startCommand)
  const { url, method } = await askRoute(dialogue, ask, proposed)
  dialogue.say('How does a test user sign in? An address, or a command with {user} that prints a session.')
  const login = await askLogin(ask, proposed, url)
  const users = { ...proposed.users }
  const passwords: Partial<Record<TestUser, string>> = {}
  for (const user of login.kind === 'variables' ? [] : testUsers) {
    const who = user === 'alice' ? 'a test user' : 'another test user'
    users[user] = (await ask(`login of ${who}`, users[user])) ?? users[user]
    const question = `password of ${users[user]} (hidden, kept in .env; Enter: set it later)`
    if (login.kind === 'http') passwords[user] = await dialogue.ask(question, { isHidden: true })
  }
  const mintUrlVariable = await ask("variable that has the mint's address", proposed.mintUrlVariable)
  const mintKeyVariable = await ask('variable that has the API key', proposed.mintKeyVariable)
  const mayTrust = startCommand !== null && mintUrlVariable !== null
  const overTls = 'serve the mint double over TLS, to test certificates?'
  const tls = mayTrust && (await dialogue.confirm(overTls, proposed.tls))
  const service = await dialogue.choose('CI job for', ['github', 'gitlab', 'none'], proposed.ci ?? 'none')
  const ci: BackendPlan['ci'] = service === 'github' || service === 'gitlab' ? service : null
  const answers = { startCommand, url, method, login, users, mintUrlVariable, mintKeyVariable, tls, ci }
  return { plan: { ...proposed, ...answers }, passwords }
}

const another = 'another address'

async function askRoute(
  dialogue: Dialogue,
  ask: Ask,
  { url, method, routes }: BackendPlan,
): Promise<Pick<BackendPlan, 'url' | 'method'>> {
  const question = 'token route of the backend'
  const shown = routes.map(({ path, methods }) => `${methods.join('|')} ${path}`)
  const [first] = shown
  const chosen = first && (await dialogue.choose(question, [...shown, another], first))
  const route = routes[shown.indexOf(chosen ?? another)]
  if (route !== undefined)
    return { url: new URL(route.path, url).href, method: route.methods.includes('POST') ? 'POST' : 'GET' }
  for (;;) {
    const typed = (await ask(question, url)) ?? url
    const written = typed.startsWith('/') && URL.canParse(typed, url) ? new URL(typed, url).href : typed
    if (leaf.httpUrl.safeParse(written).success) return { url: written, method }
    dialogue.say(`invalid address; use one such as ${url}`)
  }
}

async function askLogin(ask: Ask, { login, ...proposed }: BackendPlan, url: string): Promise<Login> {
  // The login is on the machine of the token route, as a rule.
  const moved =
    login.kind === 'http' ? login.url.replace(new URL(proposed.url).origin, () => new URL(url).origin) : null
  const typed = await ask(
    'login (-: sessions are set in .env)',
    login.kind === 'command' ? login.command : moved,
  )
  if (typed === null) return { kind: 'variables' }
  const chosen = loginOf(typed, url, proposed.loginBody)
  if (chosen.kind !== 'http') return chosen
  return { ...chosen, body: (await ask('login request body', chosen.body)) ?? chosen.body }
}
