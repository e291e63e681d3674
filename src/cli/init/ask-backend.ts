import * as leaf from '../../base/schema/leaves.ts'
import { type BackendPlan, loginOf, type TestUser, testUsers } from './backend-plan.ts'
import type { Dialogue } from './questions.ts'

/** A plan as the user has confirmed it, and the passwords that were typed in. */
export interface ConfirmedPlan {
  readonly plan: BackendPlan
  readonly passwords: Partial<Readonly<Record<TestUser, string>>>
}

/** Asks what the sources do not show for certain; Enter accepts a proposal. Null: the user has no such backend here. */
export async function askBackend(dialogue: Dialogue, proposed: BackendPlan): Promise<ConfirmedPlan | null> {
  const { framework } = proposed
  if (framework !== null && !(await dialogue.confirm(`found ${framework.name}: test this backend?`, true)))
    return null
  dialogue.say('Enter accepts a proposal; - leaves it out')
  const startCommand = await ask(
    dialogue,
    'command that starts it (-: it is started by hand)',
    proposed.startCommand,
  )
  const url = await askAddress(dialogue, 'token route of the backend', proposed.url)
  const login = await askLogin(dialogue, proposed, url)
  const users = { ...proposed.users }
  const passwords: Partial<Record<TestUser, string>> = {}
  if (login.kind !== 'variables')
    for (const user of testUsers) {
      users[user] =
        (await ask(
          dialogue,
          `login of ${user === 'alice' ? 'a test user' : 'another test user'}`,
          users[user],
        )) ?? users[user]
      if (login.kind === 'http')
        passwords[user] = await dialogue.ask(
          `password of ${users[user]} (hidden, kept in .env; Enter: set it later)`,
          { isHidden: true },
        )
    }
  const mintUrlVariable = await ask(
    dialogue,
    "variable that has the mint's address",
    proposed.mintUrlVariable,
  )
  const mintKeyVariable = await ask(dialogue, 'variable that has the API key', proposed.mintKeyVariable)
  const plan = { ...proposed, startCommand, url, login, users, mintUrlVariable, mintKeyVariable }
  const mayTrust = startCommand !== null && mintUrlVariable !== null
  const tls =
    mayTrust &&
    (await dialogue.confirm(
      "serve the suite's mint over TLS, so that certificates are tested?",
      proposed.tls,
    ))
  return { plan: { ...plan, tls, ci: await askService(dialogue, proposed.ci) }, passwords }
}

async function ask(dialogue: Dialogue, what: string, proposal: string | null): Promise<string | null> {
  const typed = (await dialogue.ask(what, { proposal: proposal ?? undefined })).trim()
  if (typed === '-') return null
  return typed === '' ? proposal : typed
}

async function askAddress(dialogue: Dialogue, what: string, proposal: string): Promise<string> {
  for (;;) {
    const typed = (await ask(dialogue, what, proposal)) ?? proposal
    const url = typed.startsWith('/') && URL.canParse(typed, proposal) ? new URL(typed, proposal).href : typed
    if (leaf.httpUrl.safeParse(url).success) return url
    dialogue.say(`invalid address; use one such as ${proposal}`)
  }
}

async function askLogin(
  dialogue: Dialogue,
  { login, url: proposedUrl }: BackendPlan,
  url: string,
): Promise<BackendPlan['login']> {
  dialogue.say('How does a test user sign in? An address, or a command with {user} that prints a session.')
  // The login is on the machine of the token route, as a rule.
  const moved =
    login.kind === 'http' ? login.url.replace(new URL(proposedUrl).origin, () => new URL(url).origin) : null
  const typed = await ask(
    dialogue,
    'login (-: sessions are set in .env)',
    login.kind === 'command' ? login.command : moved,
  )
  if (typed === null) return { kind: 'variables' }
  const chosen = loginOf(
    typed,
    url,
    login.kind === 'http' ? login.body : '{"email":"{user}","password":"{password}"}',
  )
  if (chosen.kind !== 'http') return chosen
  return { ...chosen, body: (await ask(dialogue, 'its body', chosen.body)) ?? chosen.body }
}

async function askService(dialogue: Dialogue, proposal: BackendPlan['ci']): Promise<BackendPlan['ci']> {
  const chosen = await dialogue.choose('CI job for', ['github', 'gitlab', 'none'], proposal ?? 'none')
  return chosen === 'github' || chosen === 'gitlab' ? chosen : null
}
