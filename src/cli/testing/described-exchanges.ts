import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { exampleJwt } from '../../../contracts/consumers/contract.ts'
import type { Exchange, HttpExchange } from '../../base/evidence/exchange.ts'

const textOf = (name: string) => readFile(join(import.meta.dirname, '../../../contracts', name), 'utf8')

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly requestBody?: Content; readonly responses: Record<string, Content> }>
      >
    >
  >
}

type Schemas = (pointer: readonly string[]) => ValidateFunction

/** Compiles the schema at a place of a document, with what it refers to; each once. */
function schemasOf(document: object): Schemas {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document:', ...document })
  return (pointer) => {
    const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    const reference = `document:#/${path.join('/')}`
    const schema = ajv.getSchema(reference)
    if (schema === undefined) throw new Error(`${reference} is not in the document`)
    return schema as ValidateFunction
  }
}

interface Described {
  readonly document: OpenApi
  readonly schemas: Schemas
}

async function readOpenApi(): Promise<Described> {
  const document: OpenApi = parse(await textOf('openapi.yaml'))
  return { document, schemas: schemasOf(document) }
}

/** Puts an example in place of each label, which has lost the form of its value. */
const withoutRedaction = (text: string) => text.replaceAll(/‹[^›]*›/g, exampleJwt)

function bodyIn(text: string, type: string): unknown {
  const plain = withoutRedaction(text)
  return type === 'application/json' ? JSON.parse(plain) : plain
}

/** Why an exchange does not fit the document; null where it does. */
function mismatch(
  { document, schemas }: Described,
  path: string,
  { request, response }: HttpExchange,
): string | null {
  if (response === undefined) return null
  const method = request.method.toLowerCase()
  const operation = document.paths[path]?.[method]
  // The service must refuse a request that the document does not describe.
  if (operation === undefined) return response.status >= 400 ? null : `${method} ${path} is not described`
  const place = ['paths', path, method]
  const isServed = response.status < 300
  if (isServed && operation.requestBody !== undefined) {
    const valid = schemas([...place, 'requestBody', 'content', 'application/json', 'schema'])
    if (!valid(bodyIn(request.body, 'application/json'))) return `the request ${request.body} was served`
  }
  const status = operation.responses[response.status] === undefined ? 'default' : String(response.status)
  if (isServed && status === 'default') return `the status ${response.status} is not described`
  const described = operation.responses[status]?.content
  if (described === undefined) return null
  const header = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const type = header.split(';')[0] ?? ''
  if (described[type] === undefined) return `the media type ${type} of ${status} is not described`
  const valid = schemas([...place, 'responses', status, 'content', type, 'schema'])
  return valid(bodyIn(response.body, type)) ? null : `the body of ${status}: ${response.body}`
}

/** Exchanges with one part that a document describes, and why some do not fit it. */
interface Compared {
  readonly count: number
  readonly mismatches: readonly string[]
}

/** Compares the calls of a route with `openapi.yaml`. */
export async function compareCalls(
  exchanges: readonly Exchange[],
  part: 'mint' | 'backend',
  path: string,
): Promise<Compared> {
  const openapi = await readOpenApi()
  const calls = exchanges.filter(
    (one): one is HttpExchange =>
      one.kind === 'http' && one.to === part && new URL(one.request.url).pathname === path,
  )
  return { count: calls.length, mismatches: calls.flatMap((one) => mismatch(openapi, path, one) ?? []) }
}

/** Compares the frames of signaling with `asyncapi.yaml`. */
export async function compareFrames(exchanges: readonly Exchange[]): Promise<Compared> {
  const document: { components: { messages: Record<string, { payload: object }> } } = parse(
    await textOf('asyncapi.yaml'),
  )
  const schemas = schemasOf(document)
  const validators = new Map(
    Object.keys(document.components.messages).map((type) => [
      type,
      schemas(['components', 'messages', type, 'payload']),
    ]),
  )
  const frames = exchanges.flatMap((one) =>
    one.kind === 'websocket' && one.to === 'signaling'
      ? one.events.flatMap(({ type, text }) => (type === 'frame' ? [text] : []))
      : [],
  )
  const mismatches = frames.filter((text) => {
    const frame: { readonly type: string } = JSON.parse(withoutRedaction(text))
    return validators.get(frame.type)?.(frame) !== true
  })
  return { count: frames.length, mismatches }
}
