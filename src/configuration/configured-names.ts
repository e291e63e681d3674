import { runsOf } from '../base/evidence/hide-exchange.ts'
import type { Secrets } from '../base/evidence/secrets.ts'
import { listSessions } from '../roles/backend/configuration.ts'
import type { Configuration } from './configuration.ts'

/** Parts of a configuration that are no secrets, nor commands: their words may be shown in evidence. */
export function configuredNames(
  configuration: Configuration,
  secrets: Pick<Secrets, 'text'>,
): ReadonlySet<string> {
  const { name, mint, backend, signaling, client, bundle, token, absent, waivers } = configuration
  const { field, userIdClaim, jwks } = token
  const userIds = listSessions(backend?.sessions ?? {}).flatMap((one) => ('userId' in one ? one.userId : []))
  const users = Object.values(client?.users ?? {}).map(({ userId, name: called }) => [userId, called])
  const texts = leavesOf([
    name,
    { url: mint?.url, minTtlSeconds: mint?.minTtlSeconds, userIds: mint?.userIds },
    backend?.url,
    backend?.fakeMint?.host,
    userIds,
    signaling,
    client?.url,
    client?.ownHosts,
    client?.serviceHosts,
    users,
    bundle,
    { field, userIdClaim, jwks },
    absent,
    waivers,
    configuration.environment,
    configuration.referredVariables,
  ])
  return new Set(texts.flatMap((text) => [...runsOf(secrets.text(withoutQuery(text)))]))
}

/** A query may hold a password. */
function withoutQuery(text: string): string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text
  return text.replace(/\/\/[^/@]*@/, '//').replace(/([?&][^=&#]*=)[^&#]*/g, '$1')
}

/** The texts of a value, and the names in it. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [key, ...leavesOf(one)])
}
