import type { Configuration } from '../../configuration/configuration.ts'

export interface Credential {
  readonly part: 'mint' | 'backend'
  readonly key: string
  readonly value: string
  readonly kind: 'key' | 'session' | 'cookie'
  /** Configured because it has ended, or never was a session. */
  readonly mayHaveEnded: boolean
}

const endedNames: ReadonlySet<string> = new Set([
  'expired',
  'signedOut',
  'otherApp',
  'idToken',
  'refreshToken',
])

export function credentialsOf({ mint, backend }: Configuration): Credential[] {
  const { trialEnded, suspended, capped } = mint?.keys ?? {}
  const keys = {
    'mint.apiKey': mint?.apiKey,
    'mint.otherProjectKey': mint?.otherProjectKey,
    'mint.keys.trialEnded': trialEnded?.key,
    'mint.keys.suspended': suspended?.key,
    'mint.keys.capped': capped?.key,
    'backend.fakeMint.apiKey': backend?.fakeMint?.apiKey,
  }
  const { odd = [], ...single } = backend?.sessions ?? {}
  const odds = odd.map((user, index) => [`odd.${index}`, user] as const)
  const sessions = [...Object.entries(single), ...odds].map(
    ([name, { token }]): Credential => ({
      part: 'backend',
      key: `backend.sessions.${name}.token`,
      value: token,
      kind: 'session',
      mayHaveEnded: endedNames.has(name),
    }),
  )
  const { alice, aliceSecondDevice, bob } = backend?.sessions ?? {}
  const cookies = Object.entries({ alice, aliceSecondDevice, bob }).flatMap(([name, user]): Credential[] =>
    user?.cookie === undefined
      ? []
      : [
          {
            part: 'backend',
            key: `backend.sessions.${name}.cookie`,
            value: user.cookie,
            kind: 'cookie',
            mayHaveEnded: false,
          },
        ],
  )
  return [
    ...cookies,
    ...Object.entries(keys).flatMap(([key, value]): Credential[] =>
      value === undefined
        ? []
        : [
            {
              part: key.startsWith('mint') ? 'mint' : 'backend',
              key,
              value,
              kind: 'key',
              mayHaveEnded: false,
            },
          ],
    ),
    ...sessions,
  ]
}
