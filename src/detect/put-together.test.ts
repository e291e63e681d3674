import { expect, test } from 'vitest'
import { readOpenApiWhole } from './openapi.ts'

const base = new URL('https://shop.example/docs/openapi.yaml')
const route = (schema: string) =>
  `openapi: 3.1.0\npaths:\n  /calls/token:\n    post:\n      responses:\n        200:\n          content:\n            application/json:\n              schema: ${schema}\n`
const token = 'Token: { properties: { token: { type: string } } }'

/** Reads a document beside others, by their paths; an address that is none of them is refused. */
async function readBeside(text: string, others: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const documented = await readOpenApiWhole(text, 'openapi.yaml', {
    base,
    async read({ pathname, href }) {
      asked.push(pathname)
      const found = others[pathname]
      return found === undefined ? { refused: `which is not ${href}` } : { text: found }
    },
  })
  return { ...documented, asked }
}

const found = { found: { url: 'https://shop.example/calls/token' } }

test('references to other documents, and theirs to the first one and to each other, are followed', async () => {
  const first = `${route("{ $ref: './schemas/calls.yaml#/Answer' }")}${token}\n`
  const { backend, asked } = await readBeside(first, {
    '/docs/schemas/calls.yaml': "Answer: { allOf: [{ $ref: '#/Other' }] }\nOther: { $ref: '../more.json' }\n",
    '/docs/more.json': '{"allOf":[{"$ref":"openapi.yaml#/Token"},{"$ref":"schemas/calls.yaml#/Answer"}]}',
  })
  expect(backend).toMatchObject(found)
  expect(asked).toEqual(['/docs/schemas/calls.yaml', '/docs/more.json'])
})

test('a path item in another document is followed, and a name with signs in it', async () => {
  const { backend } = await readBeside(
    "openapi: 3.1.0\npaths:\n  /calls/token:\n    $ref: 'paths.yaml#/a~1b%20c'\n",
    {
      '/docs/paths.yaml': `a/b c:\n  post: { responses: { 200: { content: { application/json: { schema: { $ref: '#/Token' } } } } } }\n${token}\n`,
    },
  )
  expect(backend).toMatchObject(found)
})

test.each([
  [
    'a document that is refused',
    'https://other.example/x.yaml#/Token',
    {},
    'which is not https://other.example/x.yaml',
  ],
  ['no address', 'http://[/x', {}, 'which is no address'],
  ['an anchor', 'x.yaml#token', { '/docs/x.yaml': token }, 'which names an anchor and no path'],
  ['no YAML', 'x.yaml', { '/docs/x.yaml': 'a: [' }, 'which cannot be parsed'],
  [
    '16 MB of YAML',
    'x.yaml',
    { '/docs/x.yaml': 'a:\n'.repeat(5_500_000) },
    'which is no JSON, and has more than the 1 MB',
  ],
])('a reference to %s says so, and how to put both into one', async (_, reference, others, why) => {
  const { backend } = await readBeside(route(`{ $ref: '${reference}' }`), others)
  const { missing } = backend as { readonly missing: string }
  expect(missing).toContain(`no GET or POST answers with a field "token"; it refers to ${reference}, ${why}`)
  expect(missing).toContain('put it into one document first, with "npx @redocly/cli bundle"')
})

test('a chain of documents without an end is read to a bound', async () => {
  const asked: string[] = []
  const { backend } = await readOpenApiWhole(route("{ $ref: '0.yaml' }"), 'openapi.yaml', {
    base,
    async read({ pathname }) {
      asked.push(pathname)
      return { text: `{ $ref: '${asked.length}.yaml' }` }
    },
  })
  expect(backend).toHaveProperty('missing')
  expect(asked).toHaveLength(200)
})

test('documents that are large one by one are not all read', async () => {
  const large = `x:\n${'  - abcdefgh\n'.repeat(40_000)}`
  let asked = 0
  const before = process.cpuUsage()
  const schema = `{ allOf: [${Array.from({ length: 50 }, (_, place) => `{ $ref: '${place}.yaml' }`).join()}] }`
  const { backend } = await readOpenApiWhole(route(schema), 'openapi.yaml', {
    base,
    async read() {
      asked += 1
      return { text: large }
    },
  })
  const { user, system } = process.cpuUsage(before)
  expect(backend).toMatchObject({ missing: expect.stringContaining('which was not read within 3 s') })
  expect(asked).toBeLessThan(50)
  expect((user + system) / 1e6).toBeLessThan(8)
})

test('a document that is never there costs 3 s', async () => {
  const { backend } = await readOpenApiWhole(route("{ $ref: 'slow.yaml' }"), 'openapi.yaml', {
    base,
    read: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ refused: 'which was not read' }))
      }),
  })
  expect(backend).toMatchObject({ missing: expect.stringContaining('slow.yaml, which was not read') })
})
