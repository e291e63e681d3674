import { mintContract } from '../../contract/mint.ts'
import type { Family } from './families.ts'
import type { FoundBackend, Route } from './find-backend.ts'

export const testUsers = ['alice', 'bob'] as const
export type TestUser = (typeof testUsers)[number]

export type Login =
  | { readonly kind: 'http'; readonly url: string; readonly body: string }
  /** A shell command that prints it; {user} is the login name. */
  | { readonly kind: 'command'; readonly command: string }
  /** Variables, for a login that no program can do. */
  | { readonly kind: 'variables' }

export interface BackendPlan {
  readonly name: string
  readonly family: Family | null
  /** Every route that was found, the likeliest token route first. */
  readonly routes: readonly Route[]
  /** Null where the backend runs already. */
  readonly startCommand: string | null
  readonly url: string
  readonly method: 'POST' | 'GET'
  readonly login: Login
  /** The body of a login by HTTP, with {user} and {password}. */
  readonly loginBody: string
  readonly users: Readonly<Record<TestUser, string>>
  readonly mintUrlVariable: string | null
  readonly mintKeyVariable: string | null
  readonly isWholeMintUrl: boolean
  readonly tls: boolean
  /** Variables of the environment that the backend gets besides. */
  readonly variables: readonly string[]
  readonly ci: 'github' | 'gitlab' | null
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
  const [token] = found?.routes ?? []
  const origin = `http://127.0.0.1:${found?.port ?? 3000}`
  const url = given.backendUrl ?? `${origin}${token?.path ?? '/calling/token'}`
  const login = given.login ?? found?.logins[0]?.path
  const [alice = 'alice', bob = 'bob'] = given.users ?? []
  const startCommand = given.start ?? found?.startCommand ?? null
  const loginBody = found?.loginBody ?? '{"email":"{user}","password":"{password}"}'
  return {
    name,
    family: found?.family ?? null,
    routes: found?.routes ?? [],
    startCommand,
    url,
    method: given.method ?? (token !== undefined && !token.methods.includes('POST') ? 'GET' : 'POST'),
    login: login === undefined ? { kind: 'variables' } : loginOf(login, url, loginBody),
    loginBody,
    users: { alice, bob },
    mintUrlVariable: found?.mintUrlVariable ?? null,
    mintKeyVariable: found?.mintKeyVariable ?? null,
    isWholeMintUrl: found?.isWholeMintUrl ?? false,
    tls: startCommand !== null && found !== null && found.family.language !== 'java',
    variables: found?.variables ?? [],
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
