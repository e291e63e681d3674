import type { Configuration } from '../../configuration/configuration.ts'
import { listHidden } from '../../configuration/places.ts'

export interface Credential {
  readonly part: 'mint' | 'backend'
  readonly key: string
  readonly value: string
  readonly kind: 'api-key' | 'session' | 'cookie'
  /** Configured because it has ended, or never was a session. */
  readonly mayHaveEnded: boolean
}

const kinds = ['cookie', 'api-key', 'session'] as const
const endedNames: ReadonlySet<unknown> = new Set([
  'expired',
  'signedOut',
  'otherApp',
  'idToken',
  'refreshToken',
])

/** The credentials of mint and backend by their keys in the file: cookies first, then keys and sessions. */
export function credentialsOf(configuration: Configuration): Credential[] {
  const found = listHidden(configuration).flatMap(({ path, value, place: { label } }): Credential[] => {
    const [part, , name] = path
    if ((part !== 'mint' && part !== 'backend') || typeof value !== 'string' || label === 'secret') return []
    // A key whose account is in a state may be written alone.
    const key = path.join('.').replace(/^(mint\.keys\.\w+)\.key$/, '$1')
    return [{ part, key, value, kind: label, mayHaveEnded: endedNames.has(name) }]
  })
  return kinds.flatMap((kind) => found.filter((one) => one.kind === kind))
}
