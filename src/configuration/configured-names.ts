import { runsOf } from '../base/evidence/mask/mask-exchange.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { listSessions } from '../roles/backend/types.ts'
import type { Configuration } from './configuration.ts'

/** Parts of a configuration that are no secrets, nor commands: their words may be shown in evidence. */
export function configuredNames(
  { name, mint, backend, signaling, client, bundle, token, waivers }: Configuration,
  redactor: Pick<Redactor, 'text'>,
): ReadonlySet<string> {
  const { signWith: _, ...described } = token
  const { keys: _keys, apiKey: _key, otherProjectKey: _other, consoleToken: _tool, ...minting } = mint ?? {}
  const sessions = listSessions(backend?.sessions ?? {}).flatMap((one) => ('userId' in one ? one.userId : []))
  const users = Object.values(client?.users ?? {}).map(({ userId, name: called }) => [userId, called])
  const texts = leavesOf([
    name,
    minting,
    backend?.url,
    backend?.fakeMint?.host,
    sessions,
    signaling,
    client?.url,
    client?.ownHosts,
    client?.serviceHosts,
    users,
    bundle,
    described,
    waivers,
  ])
  return new Set(texts.flatMap((text) => [...runsOf(redactor.text(withoutQuery(text)))]))
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
