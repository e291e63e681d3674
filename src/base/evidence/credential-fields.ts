import type { Found } from './decoded-search.ts'

/** Words at the end of a name that make its value a credential. */
const lastWords = new Set([
  ...['apikey', 'authorization', 'bearer', 'cookie', 'cookies', 'credential', 'credentials', 'jwt', 'key'],
  ...[
    'passphrase',
    'passwd',
    'password',
    'passwords',
    'pin',
    'pwd',
    'secret',
    'secrets',
    'session',
    'sessions',
  ],
  ...['sid', 'token', 'tokens'],
])
const endings = /(?:token|secret|session|sessionid|password|passwd|apikey|secretkey|privatekey|accesskey)s?$/
/**
 * Placeholders that programs write where there is no credential: they say what is wrong, and nothing else. The suite's own
 * sentences have `<calling JWT>`.
 */
const placeholders =
  /^(?:undefined|null|none|nan|true|false|\[object object\]|bearer|<[a-z]{1,12}(?: [a-z]{1,12}){0,3}>)?$/i

/**
 * Says whether a field of this name holds a credential: `refreshToken`, `access_token`, `X-Api-Key`,
 * `sessionId`.
 */
export function isCredentialName(name: string): boolean {
  const words = name
    .slice(-80)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  const named = last === 'id' || last === 'value' ? (words.at(-2) ?? '') : last
  return lastWords.has(named) || endings.test(named)
}

/** Says whether a value is no credential. One with a label has passed the redactor: a peer's own are replaced before. */
export function isPlaceholder(value: string): boolean {
  return value.includes('‹') || placeholders.test(value.trim())
}

/** The values of fields that hold credentials, in JSON and its relatives, addresses, forms, and lines of headers. */
export function* credentialValues(text: string): Generator<Found<string>> {
  yield* quotedValues(text)
  for (const pattern of [quotedPairs, addressPairs, spacedPairs, headerLines, passwords])
    for (const match of text.matchAll(pattern)) {
      const { name, value = '' } = match.groups ?? {}
      if (name !== undefined && !isCredentialName(name)) continue
      const end = match.index + match[0].length
      yield* withoutScheme({ start: end - value.length, end, what: value })
    }
}

/** Also where quotes around it are not what they seem, as in JSON inside a string. */
const quotedPairs =
  /["'](?<name>[\w.-]{1,80})["']\s{0,20}:\s{0,20}["'](?<value>(?:[^"'\\]|\\[\s\S]){1,4096})/g
/** `name=value`, in an address or a form. */
const addressPairs = /(?<=[?&#;]|^)(?<name>[\w.%[\]-]{1,80})=(?<value>[^\s"'&;<>#]+)/g
/** The same behind a space, where the value has a digit in it. One pattern for both would name a group twice: not in Node 22. */
const spacedPairs =
  /(?<=\s)(?<name>[\w.-]{1,80})=(?<value>(?=[^\s"'&;,<>(){}]{0,200}\d)[^\s"'&;,<>(){}]{6,})/g
const headerLines =
  /^[<>*\s]{0,8}(?:proxy-)?(?:authorization|cookie|set-cookie|x-api-key)[ \t]{0,8}:[ \t]{0,8}(?<value>[^\r\n]+)/gim
const passwords = /:\/\/[^\s/:@]{0,200}:(?<value>[^\s/@]{1,200})(?=@)/g

const scheme = /^(?:bearer|basic|digest|token|apikey) +(?=[^ ])/i

/** The scheme of an authorization is no secret. */
function* withoutScheme({ start, end, what }: Found<string>): Generator<Found<string>> {
  const length = scheme.exec(what)?.[0].length ?? 0
  const value = what.slice(length)
  if (!isPlaceholder(value)) yield { start: start + length, end, what: value }
}

/** Strings and numbers behind a name in quotes, and everything inside an object or array behind such a name. */
function* quotedValues(text: string): Generator<Found<string>> {
  /** For each object or array that is open, whether all in it belongs to a credential. */
  const open: boolean[] = []
  /** True where the next value belongs to a credential by its name. */
  let named = false
  const strings = createStringReader(text)
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? ''
    const inside = open.at(-1) ?? false
    if (character === '{' || character === '[') {
      open.push(named || inside)
      named = false
    } else if (character === '}' || character === ']') {
      open.pop()
      named = false
    } else if (character === ',') named = false
    else if (character === '"' || character === "'") {
      const string = strings.read(at)
      if (string === null) {
        at += 1
        continue
      }
      at = string.next
      const colon = behindBlanks(text, string.next)
      const value = text.slice(string.start, string.end)
      if (text[colon] === ':') {
        named = isCredentialName(value)
        at = colon + 1
      } else if (named || inside) {
        yield* withoutScheme({ start: string.start, end: string.end, what: value })
        named = false
      }
      continue
    } else if ((named || inside) && /[-\d]/.test(character)) {
      const number = /^-?[\d.]{1,40}/.exec(text.slice(at, at + 41))?.[0] ?? ''
      if (number.length >= 4) yield { start: at, end: at + number.length, what: number }
      at += Math.max(1, number.length)
      continue
    }
    at += 1
  }
}

interface QuotedString {
  readonly start: number
  readonly end: number
  /** Behind the closing quote. */
  readonly next: number
}

/** Reads strings in quotes. Where one is never closed, no other with that quote is looked for: that would take for ever. */
function createStringReader(text: string): { read(at: number): QuotedString | null } {
  const unclosed = new Set<string>()
  return {
    read(at) {
      const quote = text[at] ?? ''
      // An apostrophe inside a word opens nothing.
      if (unclosed.has(quote) || (quote === "'" && /\w/.test(text[at - 1] ?? ''))) return null
      for (let end = at + 1; end < text.length; end += 1) {
        if (text[end] === '\\') end += 1
        else if (text[end] === quote) return { start: at + 1, end, next: end + 1 }
      }
      unclosed.add(quote)
      return quote === '"' ? { start: at + 1, end: text.length, next: text.length } : null
    },
  }
}

function behindBlanks(text: string, from: number): number {
  let at = from
  while (at < from + 40 && /\s/.test(text[at] ?? '')) at += 1
  return at
}
