import { TwotokenError } from '../base/errors.ts'
import { onOneLine } from '../base/printable.ts'
import { isRecord } from '../base/tokens/decode.ts'
import { mintPath } from '../roles/mint/driver.ts'
import { parseBoundedYaml } from './bounded-yaml.ts'
import type { Found } from './detect.ts'
import { putTogether, type ReferenceReader } from './put-together.ts'

/** The token route as a document describes it, in the keys of `backend`. */
export interface DocumentedRoute {
  readonly url: string
  readonly method: 'POST' | 'GET'
  /** The parts that every call needs besides the session; absent where there are none. */
  readonly request?: DocumentedRequest | undefined
  /** Facts that a reader should know: clauses. */
  readonly remarks: readonly string[]
}

export interface DocumentedRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: { readonly json: Readonly<Record<string, unknown>> }
}

export interface Documented {
  readonly backend: Found<DocumentedRoute>
  readonly mint: Found<{ readonly url: string }>
}

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly path: string
  readonly method: 'POST' | 'GET'
  readonly operation: Json
  /** The item of its path, which may contain parameters and servers as well. */
  readonly item: Json
}

/** Names of routes that give tokens for calls, and names of routes that sign users in. */
const calling = /call|voip|voice|video|rtc|signal/i
const signingIn = /log-?in|sign-?(?:in|up)|auth(?!or)|refresh|oauth|register|password|csrf|push|verif/i
/** The field of the specification, and what others call theirs. */
const tokenField = 'token'
const likeToken = /^(?:jwt|.*token)$/i

/**
 * Finds the token route of a backend, and the mint's endpoint, in an OpenAPI 3 document.
 * @param base where the document was read from, for servers that are relative to it
 * @throws TwotokenError `configuration` where the text is no such document
 */
export function readOpenApi(text: string, name: string, base: string | null = null): Documented {
  return describe(parseDocument(text, name), base)
}

/** Reads a document as `readOpenApi` does, with those that it refers to. */
export async function readOpenApiWhole(
  text: string,
  name: string,
  reader: ReferenceReader,
): Promise<Documented> {
  const { document, refused } = await putTogether(parseDocument(text, name), reader)
  return describe(document, reader.base.protocol === 'file:' ? null : reader.base.href, refused)
}

/** @param refused references that were not followed, each with the reason as a clause */
function describe(
  document: Json,
  base: string | null,
  refused: ReadonlyMap<string, string> = new Map(),
): Documented {
  const operations = listOperations(document)
  const minting = operations.find(({ path, method }) => method === 'POST' && path.endsWith(mintPath))
  const backend = findRoute(document, operations, base)
  const [foreign] = 'missing' in backend ? listForeignReferences(document) : []
  const why = refused.get(foreign ?? '') ?? 'which is not read'
  return {
    backend:
      'missing' in backend && foreign !== undefined
        ? {
            missing: `${backend.missing}; it refers to ${onOneLine(foreign).slice(0, 200)}, ${why}: ${bundling}`,
          }
        : backend,
    mint:
      minting === undefined ? { missing: `no path ends with ${mintPath}` } : mintOf(document, minting, base),
  }
}

function parseDocument(text: string, name: string): Json {
  const fail = (what: string) =>
    new TwotokenError('configuration', `${name} ${what}, expected an OpenAPI 3 document as YAML or JSON`)
  const document = parseBoundedYaml(text, fail)
  if (!isRecord(document)) throw fail('has no mapping at its top')
  const { openapi, swagger } = document
  if (swagger !== undefined) throw fail(`is Swagger ${String(swagger)}`)
  if (typeof openapi !== 'string' || !openapi.startsWith('3.'))
    throw fail('has no key openapi that begins with 3')
  return document
}

const bundling = 'put it into one document first, with "npx @redocly/cli bundle"'

function listForeignReferences(document: Json): string[] {
  const seen = new Set<unknown>()
  const left: unknown[] = [document]
  const found: string[] = []
  while (left.length > 0 && found.length === 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const reference = isRecord(value) ? value['$ref'] : undefined
    if (typeof reference === 'string' && !reference.startsWith('#')) found.push(reference)
    left.push(...Object.values(value).reverse())
  }
  return found
}

function listOperations(document: Json): Operation[] {
  return entriesOf(document['paths']).flatMap(([path, value]) => {
    const item = resolve(document, value)
    return (['POST', 'GET'] as const).flatMap((method) => {
      const operation = resolve(document, item[method.toLowerCase()])
      return Object.keys(operation).length === 0 ? [] : [{ path, method, operation, item }]
    })
  })
}

function findRoute(
  document: Json,
  operations: readonly Operation[],
  base: string | null,
): Found<DocumentedRoute> {
  const giving = operations.filter(
    (one) => !one.path.endsWith(mintPath) && tokenFieldOf(document, one.operation) !== null,
  )
  const named = giving.filter(({ path, operation }) => calling.test(namesOf(path, operation)))
  const others = giving.filter(
    ({ path, operation }) =>
      tokenFieldOf(document, operation) === tokenField && !signingIn.test(namesOf(path, operation)),
  )
  const candidates = named.length > 0 ? named : others
  const paths = [...new Set(candidates.map(({ path }) => path))]
  const [first] = candidates
  if (first === undefined) return { missing: 'no GET or POST answers with a field "token"' }
  if (paths.length > 1)
    return { missing: `${paths.length} routes answer with a token: ${paths.join(', ')}: write backend.url` }
  return describeRoute(document, first, base)
}

function describeRoute(document: Json, route: Operation, base: string | null): Found<DocumentedRoute> {
  const { path, method, operation } = route
  const server = serverOf(document, route, base)
  if (server === null)
    return { missing: `the document names no server for ${path}: write backend.url with its host` }
  const parameters = parametersOf(document, route).filter(({ parameter }) => parameter['required'] === true)
  const inPath = parameters.filter(({ place }) => place === 'path')
  const lacking = inPath.filter(({ value }) => value === null).map(({ name }) => name)
  if (lacking.length > 0)
    return { missing: `the document gives no value for ${lacking.join(', ')} in ${path}: write backend.url` }
  const filled = inPath.reduce(
    (whole, { name, value }) => whole.replaceAll(`{${name}}`, encodeURIComponent(value ?? '')),
    path,
  )
  const field = tokenFieldOf(document, operation)
  return {
    found: {
      url: `${server}${filled}`,
      method,
      request: requestOf(document, parameters, operation),
      remarks: [
        `the token route is ${method} ${path}`,
        ...(field === tokenField
          ? []
          : [`its token is in the field ${field}; the specification has ${tokenField}`]),
        ...remarkOnSecurity(document, operation),
      ],
    },
  }
}

function mintOf(document: Json, operation: Operation, base: string | null): Found<{ readonly url: string }> {
  const server = serverOf(document, operation, base)
  if (server === null) return { missing: `the document names no server for ${operation.path}` }
  return { found: { url: server + operation.path.slice(0, -mintPath.length) } }
}

/** The name of the token field in a response of success; null if the document describes none. */
function tokenFieldOf(document: Json, operation: Json): string | null {
  const successes = entriesOf(operation['responses']).filter(([status]) => /^2/.test(status))
  const fields = successes.flatMap(([, response]) =>
    entriesOf(resolve(document, response)['content'])
      .filter(([type]) => /json/i.test(type))
      .flatMap(([, content]) => [...fieldsOf(document, resolve(document, content)['schema'])])
      .filter(([, schema]) => schema['type'] === undefined || [schema['type']].flat().includes('string'))
      .map(([name]) => name),
  )
  return fields.find((name) => name === tokenField) ?? fields.find((name) => likeToken.test(name)) ?? null
}

/** The fields of an object's schema, with those of the schemas that it is put together from. */
function fieldsOf(document: Json, schema: unknown): Map<string, Json> {
  const fields = new Map<string, Json>()
  /** Each schema is read once: it may be put together from itself. */
  const seen = new Set<Json>()
  const left = [schema]
  while (left.length > 0) {
    const resolved = resolve(document, left.pop())
    if (seen.has(resolved)) continue
    seen.add(resolved)
    for (const [name, value] of entriesOf(resolved['properties']))
      if (!fields.has(name)) fields.set(name, resolve(document, value))
    for (const key of ['oneOf', 'anyOf', 'allOf'])
      for (const part of listOf(resolved[key]).toReversed()) left.push(part)
  }
  return fields
}

interface Parameter {
  readonly name: string
  readonly place: string
  readonly parameter: Json
  readonly value: string | null
}

function parametersOf(document: Json, { operation, item }: Operation): Parameter[] {
  const all = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map((one) =>
    resolve(document, one),
  )
  return all.map((parameter) => {
    const given = valueIn(document, parameter) ?? valueIn(document, resolve(document, parameter['schema']))
    return {
      name: String(parameter['name']),
      place: String(parameter['in']),
      parameter,
      value: given === null ? null : plainText(given),
    }
  })
}

/** A value that a schema or a parameter allows: its constant, its only one, its default or its example. */
function valueIn(document: Json, described: Json): unknown {
  const [onlyValue, ...more] = listOf(described['enum'])
  const [example] = [
    ...listOf(described['examples']),
    ...entriesOf(described['examples']).map(([, one]) => one),
  ]
  const shown = isRecord(example) && 'value' in example ? resolve(document, example)['value'] : example
  return (
    described['const'] ??
    (more.length === 0 ? onlyValue : undefined) ??
    described['default'] ??
    described['example'] ??
    shown ??
    null
  )
}

/** Headers that have a fixed place in the flow. */
const own = /^(?:authorization|content-type|accept)$/i

function requestOf(
  document: Json,
  parameters: readonly Parameter[],
  operation: Json,
): DocumentedRequest | undefined {
  const valuesOf = (wanted: string) =>
    Object.fromEntries(
      parameters
        .filter(({ place, name }) => place === wanted && !own.test(name))
        .map(({ name, value }) => [name, value ?? fromEnvironment(name)]),
    )
  const parts = { headers: valuesOf('header'), cookies: valuesOf('cookie'), query: valuesOf('query') }
  const given = Object.entries(parts).filter(([, values]) => Object.keys(values).length > 0)
  const json = bodyOf(document, operation)
  if (json !== null) return { ...Object.fromEntries(given), body: { json } }
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

function bodyOf(document: Json, operation: Json): Json | null {
  const body = resolve(document, operation['requestBody'])
  const described = entriesOf(body['content']).find(([type]) => /json/i.test(type))?.[1]
  if (body['required'] !== true || described === undefined) return null
  const schema = resolve(document, resolve(document, described)['schema'])
  const fields = fieldsOf(document, schema)
  const required = [schema, ...listOf(schema['allOf']).map((part) => resolve(document, part))].flatMap(
    (part) => listOf(part['required']).map(String),
  )
  return Object.fromEntries(
    required.map((name) => {
      const given = valueIn(document, fields.get(name) ?? {})
      return [
        name,
        typeof given === 'string'
          ? (plainText(given) ?? fromEnvironment(name))
          : (given ?? fromEnvironment(name)),
      ]
    }),
  )
}

/** Null for a text that the configuration would replace by a variable of this machine. */
function plainText(value: unknown): string | null {
  const text = String(value)
  return text.includes('${') ? null : text
}

/** Before the names of variables that a document makes up, so that it cannot have one of the shell sent to its host. */
const variablePrefix = 'TWOTOKEN_REQUEST_'

/** A variable that the reader sets: its value is not in the document. */
function fromEnvironment(name: string): string {
  return `\${${variablePrefix}${name.replaceAll(/\W+/g, '_').toUpperCase()}}`
}

function remarkOnSecurity(document: Json, operation: Json): string[] {
  const demanded = listOf(operation['security'] ?? document['security'])
  const schemes = resolve(document, resolve(document, document['components'])['securitySchemes'])
  const used = demanded.flatMap((one) => entriesOf(one).map(([name]) => resolve(document, schemes[name])))
  const isBearer = ({ type, scheme }: Json) =>
    type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && /^bearer$/i.test(String(scheme)))
  if (used.length === 0) return ['the document names no security for it']
  if (used.some(isBearer)) return []
  const [first] = used
  const how =
    first?.['type'] === 'apiKey' ? `the ${String(first['in'])} ${String(first['name'])}` : 'another scheme'
  return [`it is secured by ${how}; the specification has the session as Authorization: Bearer`]
}

/** Its address without a trailing slash; null where the document names none that is whole. */
function serverOf(document: Json, { operation, item }: Operation, base: string | null): string | null {
  const [server] = [operation['servers'], item['servers'], document['servers']].find(isFilled) ?? []
  const { url = '/', variables } = isRecord(server) ? server : {}
  const filled = entriesOf(variables).reduce(
    (whole, [name, value]) =>
      whole.replaceAll(`{${name}}`, String(isRecord(value) ? (value['default'] ?? '') : '')),
    String(url),
  )
  const address = URL.parse(filled, base ?? undefined)
  return address === null || !/^https?:$/.test(address.protocol)
    ? null
    : address.href.replace(/[?#].*$/s, '').replace(/(?<!\/)\/+$/, '')
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

function namesOf(path: string, operation: Json): string {
  const { operationId, summary, tags } = operation
  return [path, operationId, summary, ...listOf(tags)].join(' ')
}

/** How far references and schemas are followed: deeper is a circle. */
const deepest = 8

/** The mapping that a value is or refers to within the document; empty where it is none. */
function resolve(document: Json, value: unknown): Json {
  let found = value
  for (let step = 0; step < deepest && isRecord(found) && typeof found['$ref'] === 'string'; step += 1)
    found = at(document, found['$ref'])
  return isRecord(found) ? found : {}
}

function at(document: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  const steps = reference.slice(2).split('/').map(stepOf)
  return steps.reduce<unknown>((found, step) => (isRecord(found) ? found[step] : undefined), document)
}

function stepOf(written: string): string {
  try {
    return decodeURIComponent(written).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw new TwotokenError(
      'configuration',
      `the document has a reference with "${onOneLine(written).slice(0, 80)}", which is no percent-encoding: correct it`,
    )
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
