import type { Configuration } from '../configuration/configuration.ts'
import type { Redactor } from './redact.ts'

/** Makes the secrets of a configuration known before anything is sent. */
export function registerSecrets({ mint, backend, token }: Configuration, redactor: Redactor): void {
  const { trialEnded, suspended, capped } = mint?.keys ?? {}
  for (const key of [
    mint?.apiKey,
    mint?.otherProjectKey,
    trialEnded?.key,
    suspended?.key,
    capped?.key,
    backend?.fakeMint?.apiKey,
  ])
    if (key !== undefined) redactor.register('api-key', key)
  for (const session of Object.values(backend?.sessions ?? {})) redactor.register('session', session.token)
  if (token.signWith !== undefined && 'secret' in token.signWith)
    redactor.register('secret', token.signWith.secret)
}
