import { mintContract } from '../../contract/mint.ts'
import type { Family } from './families.ts'
import type { FoundBackend } from './find-backend.ts'

export const testUsers = ['alice', 'bob'] as const
export type TestUser = (typeof testUsers)[number]

export type Login =
  | { readonly kind: 'http'; readonly url: string; readonly body: string }
  /** A shell command that prints it; {user} is the login name. */
  | { readonly kind: 'command'; readonly command: string }
  /** Variables, for a login that no program can do. */
  | { readonly kind: 'variables' }

export interface BackendPlan extends Omit<FoundBackend, 'family' | 'port' | 'logins'> {
  readonly name: string
  readonly family: Family | null
  readonly url: string
  readonly method: 'POST' | 'GET'
  readonly login: Login
  readonly users: Readonly<Record<TestUser, string>>
  readonly tls: boolean
  readonly ci: 'github' | 'gitlab' | null
}

const nothing: Omit<FoundBackend, 'family'> = {
  startCommand: null,
  port: 3000,
  routes: [],
  logins: [],
  loginBody: '{"email":"{user}","password":"{password}"}',
  mintUrlVariable: null,
  mintKeyVariable: null,
  isWholeMintUrl: false,
  variables: [],
}

export interface GivenPlan {
  readonly start?: string
  readonly backendUrl?: string
  readonly method?: 'POST' | 'GET'
  readonly login?: string
  readonly users?: readonly string[]
  readonly ci?: 'github' | 'gitlab' | 'none'
}

export const doubleAddress = '127.0.0.1:9400'
/** Its key. No mint knows it. */
export const doubleKey = 'ac_live_made_up_by_twotoken_init'

const authority = '"$PWD/twotoken-results/mint-double-ca.pem"'

export function proposePlan(
  name: string,
  found: FoundBackend | null,
  given: GivenPlan,
  service: BackendPlan['ci'],
): BackendPlan {
  const { family, logins, port, ...seen } = found === null ? { ...nothing, family: null } : found
  const [token] = seen.routes
  const url = given.backendUrl ?? `http://127.0.0.1:${port}${token?.path ?? '/calling/token'}`
  const login = given.login ?? logins[0]?.path
  const [alice = 'alice', bob = 'bob'] = given.users ?? []
  const startCommand = given.start ?? seen.startCommand
  return {
    ...seen,
    name,
    family,
    startCommand,
    url,
    method: given.method ?? (token !== undefined && !token.methods.includes('POST') ? 'GET' : 'POST'),
    login: login === undefined ? { kind: 'variables' } : loginOf(login, url, seen.loginBody),
    users: { alice, bob },
    tls: startCommand !== null && family !== null && family.language !== 'java',
    ci: given.ci === undefined ? service : given.ci === 'none' ? null : given.ci,
  }
}

/** A path on the backend, a URL, or else a command. */
export function loginOf(text: string, backendUrl: string, body: string): Login {
  const isAddress = /^(?:https?:\/\/|\/)\S*$/.test(text) && !text.includes('{user}')
  if (!isAddress) return { kind: 'command', command: text }
  return { kind: 'http', url: URL.canParse(text, backendUrl) ? new URL(text, backendUrl).href : text, body }
}

export function secretVariables({ login }: Pick<BackendPlan, 'login'>): string[] {
  if (login.kind === 'command') return []
  return testUsers.map((user) => variableOf(user, login))
}

export function variableOf(user: TestUser, { kind }: Login): string {
  return `${user.toUpperCase()}_${kind === 'http' ? 'PASSWORD' : 'SESSION'}`
}

/** Variables that make a backend call the double, and trust it. */
export function doubleVariables({
  mintUrlVariable,
  mintKeyVariable,
  isWholeMintUrl,
  tls,
  family,
}: BackendPlan): readonly (readonly [name: string, value: string])[] {
  const address = `${tls ? 'https' : 'http'}://${doubleAddress}${isWholeMintUrl ? mintContract.path : ''}`
  return [
    ...(mintUrlVariable === null ? [] : [[mintUrlVariable, address] as const]),
    ...(mintKeyVariable === null ? [] : [[mintKeyVariable, doubleKey] as const]),
    // Its server takes one request at a time otherwise, and waits for each slow mint.
    ...(family?.language === 'php' ? [['PHP_CLI_SERVER_WORKERS', '8'] as const] : []),
    ...(tls ? (family?.trusts ?? []).map((name) => [name, authority] as const) : []),
  ]
}

/** The start command, with the settings by which PHP trusts the double: it reads no variable for that. */
export function trustingCommand({ startCommand, tls, family }: BackendPlan): string {
  const command = startCommand ?? ''
  if (!tls || family?.language !== 'php') return command
  return command.replace(
    /^php /i,
    (php) => `${php}-d curl.cainfo=${authority} -d openssl.cafile=${authority} `,
  )
}
