import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { exampleJwt } from '../../contracts/consumers/contract.ts'
import { startReference } from '../../fixtures/stack.ts'
import type { HttpExchange, WebSocketExchange } from '../base/evidence/exchange.ts'
import { createWorkplace } from './testing/workplace.ts'

const textOf = (name: string) => readFile(join(import.meta.dirname, '../../contracts', name), 'utf8')

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

/** Puts an example in place of each redacted value, which has lost its form. */
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

describe('every exchange of a run against the reference', () => {
  let exchanges: readonly (HttpExchange | WebSocketExchange)[] = []
  beforeAll(async () => {
    await using reference = await startReference()
    await using place = await createWorkplace(reference.written)
    const { code } = await place.start(['run', '--suite', 'mint,backend,signaling,flow']).ended
    expect(code).toBe(0)
    const results = await place.results()
    // With the cases that wait for a token to expire.
    const verdicts = Object.fromEntries(results.checks.map(({ id, verdict }) => [id, verdict]))
    expect(verdicts).toMatchObject({ 'SIG-06': 'pass', 'SIG-07': 'pass' })
    exchanges = results.exchanges
  }, 300_000)

  test.each([
    ['mint', '/api/v1/calling/token', 300],
    ['backend', '/calling/token', 300],
  ] as const)('with the %s fits openapi.yaml', async (part, path, least) => {
    const openapi = await readOpenApi()
    const own = exchanges.filter(
      (one): one is HttpExchange =>
        one.kind === 'http' && one.to === part && new URL(one.request.url).pathname === path,
    )
    expect(own.length).toBeGreaterThan(least)
    expect(own.flatMap((one) => mismatch(openapi, path, one) ?? [])).toEqual([])
  })

  test('with signaling fits asyncapi.yaml', async () => {
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
    expect(frames.length).toBeGreaterThan(100)
    const strays = frames.filter((text) => {
      const frame: { readonly type: string } = JSON.parse(withoutRedaction(text))
      return validators.get(frame.type)?.(frame) !== true
    })
    expect(strays).toEqual([])
  })
})

test('a body, a status and a request that do not fit are told', async () => {
  const openapi = await readOpenApi()
  const path = '/calling/token'
  const told = (method: string, status: number, body: string, sent = '{}', at = path) =>
    mismatch(openapi, at, {
      id: 'x-1',
      kind: 'http',
      from: 'suite',
      to: 'backend',
      at: 0,
      durationMs: 1,
      request: { method, url: `https://backend.example${at}`, headers: [], body: sent },
      response: { status, statusText: '', headers: [['content-type', 'application/json']], body },
    })
  const token = JSON.stringify({ token: exampleJwt })
  expect(told('POST', 200, token)).toBe(null)
  expect(told('POST', 200, '{"token":"no JWT"}')).toContain('the body of 200')
  expect(told('POST', 401, '{"message":"sign in"}')).toContain('the body of 401')
  expect(told('POST', 206, token)).toContain('206 is not described')
  expect(told('DELETE', 200, token)).toContain('delete /calling/token is not described')
  expect(told('POST', 200, token, '{"ttlSeconds":60}', '/api/v1/calling/token')).toContain('was served')
})
