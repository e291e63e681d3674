import { isCredentialName } from '../base/evidence/credential-fields.ts'
import { runsOf } from '../base/evidence/hide-exchange.ts'
import type { Secrets } from '../base/evidence/secrets.ts'
import { decoded, secretsOf } from '../base/http/proxy-settings.ts'
import { listSessions } from '../roles/backend/configuration.ts'
import type { Configuration } from './configuration.ts'
import { type Hidden, listHidden, openFields } from './places.ts'

/** Every key of the mint in a configuration: none of them belongs to a client. */
export function serverKeys(configuration: Configuration): string[] {
  return listHidden(configuration).flatMap(({ place, value }) =>
    place.label === 'api-key' && typeof value === 'string' ? [value] : [],
  )
}

export function registerSecrets(configuration: Configuration, secrets: Secrets): void {
  const { mint, backend, signaling, client, proxy, outsideTexts } = configuration
  for (const hidden of listHidden(configuration)) {
    const { value, place } = hidden
    if ((typeof value !== 'string' && typeof value !== 'number') || isOpen(hidden, outsideTexts)) continue
    if (place.label === 'cookie') secrets.register('session', String(value).replace(/^[^=]*=/, ''))
    else secrets.register(place.label, String(value))
  }
  for (const secret of proxy === undefined ? [] : secretsOf(proxy)) secrets.register('secret', secret)
  const urls = [mint?.url, backend?.url, signaling?.url, client?.url].filter((url) => url !== undefined)
  for (const url of urls) registerUrl(url, secrets, isCredentialName)
  const hosts = urls.map((url) => (URL.canParse(url) ? new URL(url).host : ''))
  for (const text of outsideTexts) {
    if (address.test(text)) registerOutsideUrl(text, secrets)
    else if (!plain.test(text) && !hosts.some((host) => host.includes(text.toLowerCase())))
      secrets.register('secret', text)
  }
}

/** A tenant is no secret, but what came from outside is, or what its name says is; of a user's data, only names are open. */
function isOpen({ path, value, place }: Hidden, texts: readonly string[]): boolean {
  if (place.byName === true) {
    const name = String(path.at(-1))
    const isSecret = isCredentialName(name) || /[cx]srf/i.test(name)
    return typeof value !== 'string' || !(isSecret || texts.includes(value))
  }
  return place.takes === 'data' && path.slice(3).some((part) => openFields.has(String(part)))
}

const address = /^[a-z][a-z\d+.-]*:\/\//i
/** Switches and numbers such as ports and seconds. */
const plain = /^(?:true|false|\d{0,5}(?:\.\d{1,3})?)$/

/** A password before the host, and values of the query by their names. */
function registerUrl(url: string, secrets: Secrets, isSecret: (name: string) => boolean): void {
  if (!URL.canParse(url)) return
  const { password, searchParams } = new URL(url)
  const queried = [...searchParams].flatMap(([name, value]) => (isSecret(name) ? [value] : []))
  for (const part of [decoded(password), ...queried]) secrets.register('secret', part)
}

/** Of an address that a variable has, a reader has to see the host and the path; what is random in it may be a key. */
function registerOutsideUrl(url: string, secrets: Secrets): void {
  if (!URL.canParse(url)) return
  registerUrl(url, secrets, () => true)
  const { username, pathname, hash } = new URL(url)
  for (const part of [decoded(username), hash.slice(1)]) secrets.register('secret', part)
  for (const segment of pathname.split('/')) secrets.learn('secret', segment)
}

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

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [key, ...leavesOf(one)])
}
