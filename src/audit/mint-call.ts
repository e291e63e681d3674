/** A place where the mint endpoint's path stands, and what is known of its host. */
export interface MintCall {
  /** As it would be requested, without user information. */
  readonly url: string
  readonly target: 'mint' | 'other' | 'interpolated' | 'relative'
  /** Index in the text where the URL begins. */
  readonly start: number
}

const path = /\/?api\/v1\/calling\/token$/

/** Stands for a part of a string that is only known when the program runs. */
export const hole = '\ufffc'

/**
 * Reads the URL whose `v1/calling/token` is at an index. `null` where the path goes on or begins differently, as
 * the customer's own route may.
 */
export function mintCallAt(text: string, at: number, mintHost: string | undefined): MintCall | null {
  const found = /^v1\\?\/calling\\?\/token/.exec(text.slice(at, at + 40))
  if (found === null) return null
  const end = at + found[0].length
  if (/^(?:[A-Za-z0-9_%-]|\\?\/[A-Za-z0-9_{$:])/.test(text.slice(end, end + 3))) return null
  const written = /[^\s"'`<>()|,;\p{Cc}]*$/u.exec(text.slice(Math.max(0, at - 512), end))?.[0] ?? ''
  const whole = written.replaceAll('\\/', '/')
  if (!path.test(whole)) return null
  const start = end - written.length
  const absolute = /(?:(https?|wss?):)?\/\/([^/\\?#]*)(\/.*)$/i.exec(whole)
  if (absolute === null) {
    const before = whole.replace(path, '')
    const last = /(?:[}%\ufffc>]|%s|%@|\$[A-Za-z_]\w*)$/.test(before)
    return { url: '/api/v1/calling/token', target: last ? 'interpolated' : 'relative', start }
  }
  const [, scheme = 'https', authority = '', rest = ''] = absolute
  const host = authority.replace(/^.*@/, '').toLowerCase()
  const url = `${scheme.toLowerCase()}://${host}${rest.includes(hole) ? '/api/v1/calling/token' : rest}`
  if (host === '' || /[{}$%<>\ufffc]/.test(host))
    return { url: '/api/v1/calling/token', target: 'interpolated', start }
  return { url, target: mintHost !== undefined && isHost(host, scheme, mintHost) ? 'mint' : 'other', start }
}

function isHost(host: string, scheme: string, wanted: string): boolean {
  const [name, port] = split(host)
  const [wantedName, wantedPort] = split(wanted.toLowerCase())
  const standard = /^(?:http|ws)$/i.test(scheme) ? '80' : '443'
  return name === wantedName && (wantedPort === undefined || wantedPort === (port ?? standard))
}

function split(host: string): [name: string, port: string | undefined] {
  const [, name = host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? []
  return [name.replace(/\.$/, ''), port]
}
