import parseJsonPath from 'jsonpath-rfc9535/parser'
import { z } from 'zod'
import { longestTimerMs, mostConfiguredSeconds } from '../times.ts'

/** Single values of the configuration. A message completes "expected …"; only the configuration knows what may be shown. */

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

const tooManySeconds = { error: 'at most 3600 seconds, and no milliseconds' }
export const positiveSeconds = numeric('a number of seconds above 0', (schema) =>
  schema.positive({ error: 'a number of seconds above 0' }).max(mostConfiguredSeconds, tooManySeconds),
)
/** A session may live for days. */
const sessionSeconds = numeric('a number of seconds above 0', (schema) =>
  schema
    .positive({ error: 'a number of seconds above 0' })
    .max(longestTimerMs / 1000, { error: 'at most 2147483 seconds' }),
)
export const seconds = numeric('a number of seconds, 0 or more', (schema) =>
  schema.nonnegative({ error: 'a number of seconds, 0 or more' }).max(mostConfiguredSeconds, tooManySeconds),
)
export const positiveMs = integer('a whole number of milliseconds above 0', 1, longestTimerMs)
export const milliseconds = integer('a whole number of milliseconds, 0 or more', 0, longestTimerMs)

export const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean({ error: 'true or false' }),
)

/** A name that is legal as a header, a cookie or a subprotocol (RFC 9110, token). */
export const token = pattern(
  "a name of letters, digits and !#$%&'*+-.^_`|~",
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/,
)

/** The name of a header or a cookie. */
export const sentName = token.describe('The name under which it is sent')
export const parameterName = text().describe('The name of the query parameter')

/** A place of the file that needs more than a check of its form. */
export type Place =
  | { readonly takes: 'path' }
  | {
      /** Data may be of any form, and have credentials in it. */
      readonly takes: 'credential' | 'data'
      readonly label: 'api-key' | 'session' | 'cookie' | 'secret'
      /** A text that is written in the file is secret only by the name of its key. */
      readonly byName?: boolean
    }

/** The schemas that take credentials and paths. Other code asks this registry, and keeps no list of keys. */
export const places = z.registry<Place>()
type Label = Extract<Place, { label: unknown }>['label']

/** The path of a file, which the loader makes absolute unless it is a URL. */
export function path(expected: string, test?: (value: string) => boolean) {
  return text(expected, test).register(places, { takes: 'path' })
}

export const keySet = path('an http or https URL or the path of a file', (value) =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? httpUrl.safeParse(value).success : value.trim() !== '',
)

export const credentialForms = `text, \${NAME} or { command: … }`
/** Stands for a credential until its command has run. */
export const notObtained = 'not-obtained-yet'

const command = text('a command that prints the credential')
/** A credential as it is written. It has to fit into a header, so it has no control character. */
export const writtenCredential = z.union(
  [
    text('a credential in one line', (value) => value !== '' && isPrintable(value)),
    z.strictObject({ command }),
  ],
  { error: credentialForms },
)

export function textOf(written: string | { readonly command: string }): string {
  return typeof written === 'string' ? written : notObtained
}

export function credential(label: Label, byName = false) {
  return writtenCredential.transform(textOf).register(places, { takes: 'credential', label, byName })
}

/** A sessionToken: one that ends within a run is obtained again. */
export const sessionToken = z
  .union(
    [
      writtenCredential,
      z.strictObject({
        command,
        freshEverySeconds: sessionSeconds.describe(
          'The command is run again when its sessionToken is that old: shorter than the session lives',
        ),
      }),
    ],
    { error: credentialForms },
  )
  .transform(textOf)
  .register(places, { takes: 'credential', label: 'session' })

/** Data for others, in which any value may be a credential or `{ command }`. */
export function data<Schema extends z.ZodType>(schema: Schema, byName = false): Schema {
  places.add(schema, { takes: 'data', label: 'secret', byName })
  return schema
}

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

/** No character that would break a header: below the space (a tab is legal) or the delete character. */
export function isPrintable(value: string): boolean {
  return [...value].every((character) => character === '\t' || (character >= ' ' && character !== '\u007f'))
}

const listenText = 'host:port with a port from 1 to 65535'

/** `host:port`, the host in brackets where it is an IPv6 address. */
export const listenAddress = z.string({ error: listenText }).transform((written, context) => {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})$/.exec(written)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  if (host !== undefined && port >= 1 && port <= 65_535) return { host, port }
  context.addIssue({ code: 'custom', message: listenText })
  return z.NEVER
})

export function isHost(value: string): boolean {
  return /^[^\s/@?#\\]+$/.test(value) && URL.canParse(`http://${value}/`)
}

/** Adds a problem whose message is the whole sentence after the path, not what was expected. */
export function complain(
  context: z.core.$RefinementCtx<unknown>,
  path: (string | number)[],
  sentence: string,
): void {
  context.addIssue({ code: 'custom', path, message: sentence, params: { sentence: true } })
}

export type Output<Schema extends z.core.$ZodType> = ReadonlyDeep<z.output<Schema>>

type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
  : Value
