import { expect, test } from 'vitest'
import { createSecrets } from '../base/evidence/secrets.ts'
import { configurationJsonSchema } from './json-schema.ts'
import type { KeyPath } from './path.ts'
import { isCredential } from './places.ts'
import { registerSecrets } from './register-secrets.ts'
import { complaint, load } from './testing/load.ts'

test('the published JSON Schema lets a number and a choice come from the environment', () => {
  const schema = configurationJsonSchema()
  expect(schema).toHaveProperty('properties.backend.properties.method.anyOf.1.pattern')
  expect(schema).toHaveProperty('properties.limits.properties.bodyBytes.anyOf.1.pattern')
  expect(schema).toHaveProperty('properties.limits.properties.bodyBytes.default', 1_048_576)
})

test('the published JSON Schema lets a command stand exactly where credentials are known to be', () => {
  const paths = commandPaths(configurationJsonSchema(), [])
  expect(paths.length).toBeGreaterThan(10)
  // A hook prints nothing that is wanted, and the tool of the console one token for each user.
  const others = ['hooks.rotateKeys', 'mint.consoleToken']
  const credentials = paths.filter((path) => !others.includes(path.join('.')))
  expect(credentials.filter((path) => !isCredential(path))).toEqual([])
})

/** Where the schema takes `{ command }` and nothing else in a mapping. */
function commandPaths(schema: unknown, path: KeyPath): KeyPath[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties = 'properties' in schema ? Object.entries(schema.properties ?? {}) : []
  const isCommand = properties.length === 1 && properties[0]?.[0] === 'command'
  const alternatives: unknown[] = 'anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf : []
  return [
    ...(isCommand ? [path] : properties.flatMap(([key, inner]) => commandPaths(inner, [...path, key]))),
    ...alternatives.flatMap((inner) => commandPaths(inner, path)),
  ]
}

const backend = (request: string, method = 'POST') =>
  `backend:\n  url: https://shop.example.com/t\n  method: ${method}\n  request: ${request}\n`

test.each([
  [
    '{ headers: { Authorization: x } }',
    'request.headers.Authorization carries the session, which the suite puts',
  ],
  ['{ headers: { cookie: a=b } }', 'request.headers.cookie has a place of its own: write its pairs under'],
  ['{ headers: { "X Y": z } }', 'backend.request.headers'],
  ['{ header: { X-Y: z } }', 'backend.request.header is an unknown key; did you mean "headers"?'],
  ['{ body: { form: {} } }', 'backend.request.body.form is an unknown key'],
  [
    '{ headers: { X-Session: "{session}" } }',
    'backend.request.headers.X-Session has the placeholder {session}, which would be sent as it is: write {userId}',
  ],
  ['{ body: { json: { session: "{token}" } } }', 'has the placeholder {token}'],
  ['{ body: text }', 'backend.request.body is text of 4 characters, expected { json: { … } }'],
])('complains of %s', async (request, expected) => {
  expect((await complaint(backend(request))).message).toContain(expected)
})

test('takes {userId} in every part', async () => {
  const written = `{ headers: { X-User: "{userId}" }, query: { u: "{userId}" }, body: { json: { variables: { id: "u:{userId}" } } } }`
  const { backend: found } = await load(backend(written))
  expect(found?.request?.body?.json).toEqual({ variables: { id: 'u:{userId}' } })
})

test('complains of a body that GET cannot send', async () => {
  const { message } = await complaint(backend('{ body: { json: {} } }', 'GET'))
  expect(message).toContain('backend.request.body cannot be sent by GET: remove it, or use method: POST')
})

test('knows which values are secret', async () => {
  const written = `{ headers: { X-Tenant: acme-1, X-CSRF: written, X-Id: "\${ID}" }, cookies: { a: crumbs }, query: { k: { command: "echo printed" } }, body: { json: { device: phone, deep: [ { accessToken: hidden } ] } } }`
  const configuration = await load(backend(written), { ID: 'from-outside' })
  const secrets = createSecrets()
  registerSecrets(configuration, secrets)
  expect(secrets.known('secret').toSorted()).toEqual([
    'crumbs',
    'from-outside',
    'hidden',
    'printed',
    'written',
  ])
  expect(configuration.backend?.request?.headers['X-Tenant']).toBe('acme-1')
})

test('leaves words in braces to programs, to other languages, and to fields of other names', async () => {
  const json = `{ room: "{lobby}", query: "mutation { callingToken {token} }" }`
  const written = `{ headers: { X-CSRF: { command: "echo {token} | wc -c" } }, body: { json: ${json} } }`
  const { backend: found } = await load(backend(written))
  expect(found?.request).toMatchObject({
    headers: { 'X-CSRF': '8' },
    body: { json: { room: '{lobby}', query: 'mutation { callingToken {token} }' } },
  })
})
