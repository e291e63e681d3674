import { expect, it } from 'vitest'
import { complaint, load } from './testing/load.ts'

const backend = (request: string, method = 'POST') =>
  `backend:\n  url: https://shop.example.com/t\n  method: ${method}\n  request: ${request}\n`

it.each([
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

it('takes {userId} in every part', async () => {
  const written = `{ headers: { X-User: "{userId}" }, query: { u: "{userId}" }, body: { json: { variables: { id: "u:{userId}" } } } }`
  const { backend: found } = await load(backend(written))
  expect(found?.request?.json).toEqual({ variables: { id: 'u:{userId}' } })
})

it('complains of a body that GET cannot send', async () => {
  const { message } = await complaint(backend('{ body: { json: {} } }', 'GET'))
  expect(message).toContain('backend.request.body cannot be sent by GET: remove it, or use method: POST')
})

it('knows which values are secret', async () => {
  const written = `{ headers: { X-Tenant: acme-1, X-CSRF: written, X-Id: "\${ID}" }, cookies: { a: crumbs }, query: { k: { command: "echo printed" } }, body: { json: { device: phone, deep: [ { accessToken: hidden } ] } } }`
  const { backend: found } = await load(backend(written), { ID: 'from-outside' })
  expect(found?.request?.secrets.toSorted()).toEqual([
    'crumbs',
    'from-outside',
    'hidden',
    'printed',
    'written',
  ])
  expect(found?.request?.headers['X-Tenant']).toBe('acme-1')
})

it('leaves braces in braces to the language that they are of', async () => {
  const written = '{ body: { json: { query: "mutation { callingToken {token} }" } } }'
  const { backend: found } = await load(backend(written))
  expect(found?.request?.json).toEqual({ query: 'mutation { callingToken {token} }' })
})

it('leaves words in braces to programs, and to fields of other names', async () => {
  const written = `{ headers: { X-CSRF: { command: "echo {token} | wc -c" } }, body: { json: { room: "{lobby}" } } }`
  const { backend: found } = await load(backend(written))
  expect(found?.request).toMatchObject({ headers: { 'X-CSRF': '8' }, json: { room: '{lobby}' } })
})
