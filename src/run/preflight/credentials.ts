import type { Configuration } from '../../configuration/configuration.ts'
import type { Problem } from './problem.ts'

/** Blank credentials: an empty variable, a command that printed a space. */
export function findCredentialProblems(
  { mint, backend }: Configuration,
  parts: readonly string[],
): Problem[] {
  const { trialEnded, suspended, capped } = mint?.keys ?? {}
  const ofMint = Object.entries({
    apiKey: mint?.apiKey,
    otherProjectKey: mint?.otherProjectKey,
    'keys.trialEnded': trialEnded?.key,
    'keys.suspended': suspended?.key,
    'keys.capped': capped?.key,
  })
  const ofBackend: [string, string | undefined][] = [
    ...Object.entries(backend?.sessions ?? {}).map(([name, { token }]): [string, string] => [
      `sessions.${name}.token`,
      token,
    ]),
    ['fakeMint.apiKey', backend?.fakeMint?.apiKey],
  ]
  const blank = (part: 'mint' | 'backend', entries: readonly (readonly [string, string | undefined])[]) =>
    entries
      .filter(([, value]) => parts.includes(part) && value !== undefined && value.trim() === '')
      .map(
        ([key]): Problem => ({
          part,
          kind: 'credential',
          message: `${part}.${key} is blank: set a credential, or remove the line`,
          fatal: true,
        }),
      )
  return [...blank('mint', ofMint), ...blank('backend', ofBackend)]
}
