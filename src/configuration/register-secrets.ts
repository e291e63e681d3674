import { isCredentialName } from '../base/evidence/credential-fields.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { secretsOf } from '../base/http/proxy-settings.ts'
import { type ConfiguredSession, listSessions } from '../roles/backend/types.ts'
import type { Configuration } from './configuration.ts'

/** Every key of the mint in a configuration: none of them belongs to a client. */
export function serverKeys({ mint, backend, hooks }: Configuration): string[] {
  const { trialEnded, suspended, capped } = mint?.keys ?? {}
  return [
    mint?.apiKey,
    mint?.otherProjectKey,
    trialEnded?.key,
    suspended?.key,
    capped?.key,
    backend?.fakeMint?.apiKey,
    hooks.revokeKey?.key,
    hooks.suspendProject?.key,
  ].filter((key) => key !== undefined)
}

/** Makes the secrets of a configuration known before anything is sent. */
export function registerSecrets(configuration: Configuration, redactor: Redactor): void {
  const { mint, backend, signaling, token, client, hooks, proxy } = configuration
  for (const key of serverKeys(configuration)) redactor.register('api-key', key)
  for (const session of listSessions(backend?.sessions ?? {})) redactor.register('session', session.token)
  for (const { cookie } of usersOf(configuration))
    if (cookie !== undefined) redactor.register('session', valueOfCookie(cookie))
  for (const secret of proxy === undefined ? [] : secretsOf(proxy)) redactor.register('secret', secret)
  for (const secret of backend?.request?.secrets ?? []) redactor.register('secret', secret)
  if (hooks.signOut?.session !== undefined) redactor.register('session', hooks.signOut.session)
  if (token.signWith !== undefined && 'secret' in token.signWith)
    redactor.register('secret', token.signWith.secret)
  for (const url of [mint?.url, backend?.url, signaling?.url, client?.url])
    for (const secret of url === undefined ? [] : secretsInUrl(url)) redactor.register('secret', secret)
  for (const secret of userSecrets(configuration)) redactor.register('secret', secret)
}

function usersOf({ backend }: Configuration): ConfiguredSession[] {
  const { alice, aliceSecondDevice, bob, odd = [] } = backend?.sessions ?? {}
  return [alice, aliceSecondDevice, bob, ...odd].filter((user) => user !== undefined)
}

function valueOfCookie(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1)
}

/** Values that a driver needs in order to sign a user in are secret as well, wherever they are, and numbers too. */
export function userSecrets({ client }: Pick<Configuration, 'client'>): string[] {
  return Object.values(client?.users ?? {}).flatMap((user) => closedValues(user))
}

function closedValues(value: unknown, key = ''): string[] {
  if (open.has(key)) return []
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value)
    ? value.flatMap((one) => closedValues(one, key))
    : Object.entries(value).flatMap(([name, one]) => closedValues(one, name))
}

/** A password before the host, and credentials in the query. */
function secretsInUrl(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { password, searchParams } = new URL(url)
  const queried = [...searchParams].flatMap(([name, value]) => (isCredentialName(name) ? [value] : []))
  return [decodeURIComponent(password), ...queried]
}

const open = new Set(['userId', 'name', 'userName', 'displayName', 'email'])
