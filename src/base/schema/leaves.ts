import parseJsonPath from 'jsonpath-rfc9535/parser'
import { z } from 'zod'

/**
 * The single values of the configuration. Each leaf's zod message is the phrase that completes "expected …"; the
 * configuration makes the sentence, because only it knows what may be shown of the value.
 */

/** The longest that a timer can hold: 2^31 − 1 milliseconds. */
const longestMs = 2_147_483_647

export function text(expected = 'text', test: (value: string) => boolean = (value) => value.trim() !== '') {
  return z.string({ error: expected }).refine(test, { error: expected })
}

export function pattern(expected: string, regex: RegExp) {
  return z.string({ error: expected }).regex(regex, { error: expected })
}

/** Takes text that spells a number for a number, since values from the environment are text. */
function numeric(expected: string, narrow: (schema: z.ZodNumber) => z.ZodNumber) {
  const spelled = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
  return z.preprocess(spelled, narrow(z.number({ error: expected })))
}

export function integer(expected: string, from: number, to: number) {
  return numeric(expected, (schema) => schema.int({ error: expected }).min(from, expected).max(to, expected))
}

export function number(expected: string, test: (value: number) => boolean) {
  return numeric(expected, (schema) => schema.refine(test, { error: expected }))
}

/** An hour: a larger number was meant as milliseconds. */
const mostSeconds = 3600
const tooManySeconds = { error: 'at most 3600 seconds, and no milliseconds' }
export const positiveSeconds = numeric('a number of seconds above 0', (schema) =>
  schema.positive({ error: 'a number of seconds above 0' }).max(mostSeconds, tooManySeconds),
)
/** A session may live for days. */
export const sessionSeconds = numeric('a number of seconds above 0', (schema) =>
  schema
    .positive({ error: 'a number of seconds above 0' })
    .max(longestMs / 1000, { error: 'at most 2147483 seconds' }),
)
export const seconds = numeric('a number of seconds, 0 or more', (schema) =>
  schema.nonnegative({ error: 'a number of seconds, 0 or more' }).max(mostSeconds, tooManySeconds),
)
export const positiveMs = integer('a whole number of milliseconds above 0', 1, longestMs)
export const milliseconds = integer('a whole number of milliseconds, 0 or more', 0, longestMs)

export const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean({ error: 'true or false' }),
)

/** A credential once it is known: it has to fit into a header, so it has no control character. */
export const credential = text('a credential in one line', (value) => value !== '' && isPrintable(value))

export const credentialForms = `text, \${NAME} or { command: … }`

/** A credential as it is written. */
export const writtenCredential = z.union(
  [credential, z.strictObject({ command: text('a command that prints the credential') })],
  { error: credentialForms },
)

function url(expected: string, ...protocols: string[]) {
  return text(expected, (value) => isUrl(value, protocols))
}

export const httpUrl = url('an http or https URL without user name and fragment', 'http:', 'https:')
export const plainUrl = url('an http URL without user name and fragment', 'http:')
export const wsUrl = url('a wss or ws URL without user name and fragment', 'wss:', 'ws:')

/** The address of a proxy, which may have a user name and a password. */
export function isProxyUrl(value: string): boolean {
  const parsed = URL.parse(value)
  return parsed !== null && /^https?:\/\//i.test(value) && parsed.pathname === '/' && parsed.search === ''
}

function isUrl(value: string, protocols: readonly string[]): boolean {
  if (value !== value.trim() || !URL.canParse(value)) return false
  const parsed = new URL(value)
  const bare = parsed.username === '' && parsed.password === '' && !value.includes('#')
  return protocols.includes(parsed.protocol) && /^[a-z]+:\/\//i.test(value) && bare
}

export const jsonPath = text('a JSONPath (RFC 9535) such as $.type', isJsonPath)

export function isJsonPath(value: string): boolean {
  try {
    parseJsonPath(value)
    return true
  } catch {
    return false
  }
}

/** A name that is legal as a header, a cookie or a subprotocol (RFC 9110, token). */
export const token = pattern(
  "a name of letters, digits and !#$%&'*+-.^_`|~",
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/,
)

/** No character that would break a header: below the space (a tab is legal) or the delete character. */
export function isPrintable(value: string): boolean {
  return [...value].every((character) => character === '\t' || (character >= ' ' && character !== '\u007f'))
}

/** `host:port`, the host in brackets where it is an IPv6 address; `undefined` where it is neither. */
export function parseListen(value: string): { readonly host: string; readonly port: number } | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})$/.exec(value)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined
}

/** A host, or a host and a port, and nothing else of a URL. */
export function isHost(value: string): boolean {
  return /^[^\s/@?#\\]+$/.test(value) && URL.canParse(`http://${value}/`)
}
