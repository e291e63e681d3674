import { expect, test } from 'vitest'
import { TwotokenError } from '../base/errors.ts'
import { readOpenApi } from './openapi.ts'

/** Milliseconds of this process, which other busy processes do not add to. */
function cpuOf(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const head = 'openapi: 3.1.0\nservers: [{ url: "https://shop.example" }]\n'
const route = (schema: string, further = '') =>
  `${head}${further}paths:\n  /calls/token:\n    post:\n      responses:\n        200:\n          content:\n            application/json:\n              schema: ${schema}\n`
const self = "{ $ref: '#/components/schemas/Loop' }"
const loop = (key: string) =>
  `components: { schemas: { Loop: { ${key}: [${Array.from({ length: 20 }, () => self).join()}] } } }\n`
const bomb = `${'abcdefghij'
  .split('')
  .map(
    (letter, index, all) =>
      `${letter}: &${letter} [${index === 0 ? '1' : Array.from({ length: 10 }, () => `*${all[index - 1]}`).join()}]`,
  )
  .join('\n')}\n`

test.each(['allOf', 'anyOf', 'oneOf'])(
  'a schema that is put together from itself many times (%s) is read to an end',
  (key) => {
    const text = route(self, loop(key))
    expect(cpuOf(() => expect(readOpenApi(text, 'a.yaml').backend).toHaveProperty('missing'))).toBeLessThan(
      2000,
    )
  },
)

test.each([
  [
    'a reference with a percent sign',
    route("{ $ref: '#/%' }"),
    'has a reference with "%", which is no percent-encoding',
  ],
  [
    '16 MB of YAML',
    `${head}x:\n${'  - abcdefgh\n'.repeat(1_290_000)}`,
    'is no JSON, and has more than the 1 MB',
  ],
  [
    'brackets that are never closed',
    `${head}x: ${'['.repeat(1_000_000)}`,
    'is nested deeper than 1000 brackets',
  ],
  ['many tags', `${head}x: ${'!!a '.repeat(100_000)}`, 'has more than 1000 tags'],
  [
    'many keys, one of them twice',
    `${head}${Array.from({ length: 60_000 }, (_, index) => `k${index % 59_999}: 1`).join('\n')}`,
    'the key "k0" is given twice',
  ],
  ['aliases of aliases', head + bomb, 'cannot be parsed (Excessive alias count'],
  ['an alias to itself', `${head}x: &x { a: *x }\n`, 'has an alias inside of what it stands for'],
  ['a key twice', `${head}paths: {}\npaths: {}\n`, 'cannot be parsed (the key "paths" is given twice)'],
  [
    'a key twice, as JSON',
    '{"openapi":"3.1.0","paths":{},"paths":{}}',
    'cannot be parsed (the key "paths" is given twice)',
  ],
])('%s: one sentence within 5 s', (_, text, message) => {
  let thrown: unknown
  const cost = cpuOf(() => {
    try {
      readOpenApi(text, 'openapi.yaml')
    } catch (error) {
      thrown = error
    }
  })
  expect(thrown).toBeInstanceOf(TwotokenError)
  expect(String(thrown)).toContain(message)
  expect(String(thrown)).not.toContain('\n')
  expect(cost).toBeLessThan(5000)
})

test('a large document is read as JSON', () => {
  const filler = Object.fromEntries(
    Array.from({ length: 60_000 }, (_, index) => [`s${index}`, { type: 'object', a: 'b' }]),
  )
  const schema = { $ref: '#/components/schemas/Token' }
  const responses = { 200: { content: { 'application/json': { schema } } } }
  const text = JSON.stringify({
    openapi: '3.1.0',
    servers: [{ url: 'https://shop.example' }],
    paths: { '/calls/token': { post: { responses } } },
    components: { schemas: { ...filler, Token: { properties: { token: { type: 'string' } } } } },
  })
  expect(text.length).toBeGreaterThan(1_048_576)
  expect(readOpenApi(text, 'openapi.json').backend).toMatchObject({
    found: { url: 'https://shop.example/calls/token' },
  })
})
