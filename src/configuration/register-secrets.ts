import type { Redactor } from '../base/evidence/redact.ts'
import { secretsOf } from '../base/http/proxy-settings.ts'
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
  ].filter((key) => key !== undefined)
}

/** Makes the secrets of a configuration known before anything is sent. */
export function registerSecrets(configuration: Configuration, redactor: Redactor): void {
  const { backend, token, client, hooks, proxy } = configuration
  for (const key of serverKeys(configuration)) redactor.register('api-key', key)
  for (const session of Object.values(backend?.sessions ?? {})) redactor.register('session', session.token)
  for (const secret of proxy === undefined ? [] : secretsOf(proxy)) redactor.register('secret', secret)
  for (const secret of backend?.request?.secrets ?? []) redactor.register('secret', secret)
  if (hooks.signOut?.session !== undefined) redactor.register('session', hooks.signOut.session)
  if (token.signWith !== undefined && 'secret' in token.signWith)
    redactor.register('secret', token.signWith.secret)
  // Values that a driver needs in order to sign a user in are secret as well.
  for (const user of Object.values(client?.users ?? {}))
    for (const [name, value] of Object.entries(user))
      if (!open.has(name) && typeof value === 'string') redactor.register('secret', value)
}

const open = new Set(['userId', 'name', 'userName', 'displayName', 'email'])
