import { isLoopbackName } from './requested-address.ts'

export interface ProxySettings {
  /** For https and wss. An http or https URL, which may carry a user name and a password. */
  readonly secure?: string | undefined
  /** For http and ws. */
  readonly plain?: string | undefined
  /** Hosts that are reached directly, as in NO_PROXY: `acme.example` with all below it, `*.internal`, `host:port`, `*`. */
  readonly bypass: readonly string[]
}

const plainProtocols = ['http:', 'ws:']

/** The proxy for an address, `null` where it is reached directly. This machine always is. */
export function proxyFor(address: URL, proxy: ProxySettings | undefined): URL | null {
  if (proxy === undefined || isLoopbackName(address.hostname)) return null
  const isPlain = plainProtocols.includes(address.protocol)
  const wanted = isPlain ? proxy.plain : proxy.secure
  if (wanted === undefined) return null
  const port = address.port === '' ? (isPlain ? '80' : '443') : address.port
  return proxy.bypass.some((pattern) => covers(pattern, address.hostname, port)) ? null : new URL(wanted)
}

function covers(pattern: string, hostname: string, port: string): boolean {
  if (pattern === '*') return true
  const [, host = '', wantedPort = port] = /^(.+?)(?::([0-9]+))?$/.exec(bracketed(pattern)) ?? []
  const name = host.toLowerCase().replace(/^\*?\./, '')
  const isBelow = hostname.endsWith(`.${name}`) || (hostname === name && !/^\*\./.test(host))
  return wantedPort === port && isBelow
}

/** NO_PROXY has IPv6 addresses with and without brackets. */
function bracketed(pattern: string): string {
  return !pattern.startsWith('[') && (pattern.match(/:/g)?.length ?? 0) > 1 ? `[${pattern}]` : pattern
}

/** Reads the proxy from the environment, as other programs do; `undefined` where it names none. */
export function proxyOf(environment: NodeJS.ProcessEnv): ProxySettings | undefined {
  const value = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined
  const all = withScheme(value('ALL_PROXY'))
  const secure = withScheme(value('HTTPS_PROXY')) ?? all
  const plain = withScheme(value('HTTP_PROXY')) ?? all
  if (secure === undefined && plain === undefined) return undefined
  const bypass = (value('NO_PROXY') ?? '').split(/[\s,]+/).filter((pattern) => pattern !== '')
  return { secure, plain, bypass }
}

/** Others take `host:port` for http; what is no address of such a proxy (SOCKS) names none for this suite. */
function withScheme(written: string | undefined): string | undefined {
  if (written === undefined) return undefined
  const address = written.includes('://') ? written : `http://${written}`
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : undefined
}

/** The credential of a proxy as it is sent, `null` where it needs none. */
export function proxyAuthorization({ username, password }: URL): string | null {
  if (username === '') return null
  const pair = `${decoded(username)}:${decoded(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** Lists the secrets of a proxy, which no report may show. */
export function secretsOf({ secure, plain }: ProxySettings): string[] {
  return [secure, plain].flatMap((written) => {
    const authorization = written === undefined ? null : proxyAuthorization(new URL(written))
    if (written === undefined || authorization === null) return []
    const { password } = new URL(written)
    return [password, decoded(password), authorization.replace('Basic ', '')]
  })
}

/** A part of a URL; a percent sign that begins no escape is meant as it is written. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
