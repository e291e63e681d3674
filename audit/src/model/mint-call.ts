import { mintContract } from '../../../src/contract/mint.ts'
/** A place with the path of the mint endpoint, and what is known of its host. */
export interface MintCall {
  /** As it would be requested, without user information. */
  readonly url: string
  readonly target: 'mint' | 'other' | 'interpolated' | 'relative'
  /** Index in the text where the URL begins. */
  readonly start: number
  /** Index of the character behind it. */
  readonly end: number
}

/** `v1/calling/token`: the same whatever the base URL of a proxy is. */
export const versionedPath = mintContract.path.replace('/api/', '')
/** `calling/token`: pieces of scripts are put together so. */
export const pathEnd = versionedPath.slice(versionedPath.indexOf('/') + 1)
const path = new RegExp(`/?${mintContract.path.slice(1)}$`)

/** Takes the place of a part of a string that is only known when the program runs. */
export const hole = '\ufffc'

/** Characters of an address before the path. */
const longestBefore = 512
/** Characters that no address contains as they are. */
const parting = /[\s"'`<>()|,;\p{Cc}]/u

/** Where strings are packed, an address that is before another one has nothing to do with it. */
const lastScheme = /https?:\/\/(?!.*https?:\/\/)/i

const spelled = new RegExp(`^${versionedPath.replaceAll('/', String.raw`(?:\\?/|%2f|\\u002f)`)}`, 'i')

/**
 * Reads the URL whose `v1/calling/token` is at an index. `null` where the path goes on or begins differently, as
 * the customer's own route may.
 * @param isPacked whether other strings may be directly before and behind it: then the mint's own host is known all the same
 */
export function mintCallAt(
  text: string,
  at: number,
  mintHost: string | undefined,
  isPacked = false,
): MintCall | null {
  const found = spelled.exec(text.slice(at, at + 40))
  if (found === null) return null
  const end = at + found[0].length
  const behind = text.slice(end, end + 4)
  const goesOn = /^(?:[A-Za-z0-9_-]|(?:\\?\/|%2f)[A-Za-z0-9_{$:])/i.test(behind)
  if (goesOn && !(isPacked && /^[A-Za-z0-9]/.test(behind) && !/^s(?![A-Za-z0-9])/.test(behind))) return null
  let start = at
  while (start > Math.max(0, at - longestBefore) && !parting.test(text[start - 1] ?? '')) start -= 1
  if (isPacked) start = Math.max(start, text.slice(start, end).search(lastScheme) + start)
  const written = text.slice(start, end)
  const whole = unescaped(written)
  if (!path.test(whole)) return null
  const target = targetOf(whole, mintHost)
  return goesOn && target.target !== 'mint' ? null : { ...target, start, end }
}

function unescaped(written: string): string {
  return written
    .replace(/\\u002f|\\\//gi, '/')
    .replace(/%(?:2f|3a|40)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replace(/^.*=(?=(?:https?:)?\/\/)/i, '')
}

function targetOf(whole: string, mintHost: string | undefined): Pick<MintCall, 'url' | 'target'> {
  const { path: own } = mintContract
  const before = whole.replace(path, '')
  const [, scheme = 'https', authority, rest = own] =
    /(?:(https?|wss?):)?\/\/([^/\\?#]*)(\/.*)/is.exec(whole) ??
    (mintHost !== undefined && isHost(before.toLowerCase(), 'https', mintHost) ? ['', 'https', before] : [])
  if (authority === undefined) {
    const last = /(?:[}%\ufffc>]|%s|%@|\$[A-Za-z_]\w*)$/.test(before)
    return { url: own, target: last ? 'interpolated' : 'relative' }
  }
  const host = authority.replace(/^.*@/, '').toLowerCase()
  if (host === '' || /[{}$%<>\ufffc]/.test(host)) return { url: own, target: 'interpolated' }
  const url = `${scheme.toLowerCase()}://${host}${rest.includes(hole) ? own : rest}`
  return { url, target: mintHost !== undefined && isHost(host, scheme, mintHost) ? 'mint' : 'other' }
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
