import assert from 'node:assert/strict'
import { truncate } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { startListening } from '../../../src/base/http/listening.ts'
import { createWorkplace, type Workplace } from '../../../src/cli/testing/workplace.ts'
import { frozenRun } from '../../../src/reports/testing/frozen-run.ts'
import type { HostileCase } from './hostile-case.ts'

/** A file that commands read, and the sentence that each of them says of it. */
interface HostileFile {
  readonly title: string
  readonly makes: string
  readonly write: (place: Workplace) => Promise<unknown>
  readonly says: RegExp
  readonly isInSlice?: boolean
}

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const withObservation = (value: string) =>
  JSON.stringify({ ...frozenRun, observations: { 'mint.odd': 'here' } }).replace('"here"', () => value)

/** Each of them ends a command that reads results. */
const results: readonly HostileFile[] = [
  {
    title: 'nested arrays',
    makes: 'results.json, [ 5,000,000 times, and ]',
    write: (place) => place.write('hostile', deep(5_000_000)),
    says: /is nested deeper than any results/,
  },
  {
    title: 'an observation that is nested',
    makes: 'results.json, one observation of {"a": 1,000,000 times',
    write: (place) =>
      place.write('hostile', withObservation(`${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`)),
    says: /is nested deeper than any results/,
    isInSlice: true,
  },
  {
    title: '20 GB',
    makes: 'results.json, a sparse file',
    async write(place) {
      await place.write('hostile', '')
      await truncate(join(place.folder, 'hostile'), 20 * 1024 ** 3)
    },
    says: /has 20480 MB, more than any results/,
  },
  {
    title: 'a list in the place of every field',
    makes: 'results.json, [] for each value',
    write: (place) =>
      place.write(
        'hostile',
        JSON.stringify(Object.fromEntries(Object.keys(frozenRun).map((key) => [key, []]))),
      ),
    says: /results/,
  },
]

const head = 'openapi: 3.1.0\nservers: [{ url: "https://shop.example" }]\n'
const route = (schema: string) =>
  `paths:\n  /calls/token:\n    post:\n      responses:\n        200:\n          content:\n            application/json:\n              schema: ${schema}\n`
const self = "{ $ref: '#/components/schemas/Loop' }"

/** Each of them ends `detect --openapi`. */
const documents: readonly HostileFile[] = [
  ...['allOf', 'oneOf'].map((key) => ({
    title: `${key} to itself`,
    makes: `openapi.yaml, a schema of which 20 parts of ${key} are itself`,
    write: (place: Workplace) =>
      place.write(
        'hostile',
        `${head}components: { schemas: { Loop: { ${key}: [${Array.from({ length: 20 }, () => self).join()}] } } }\n${route(self)}`,
      ),
    says: /no GET or POST answers with a field "token"/,
    isInSlice: key === 'allOf',
  })),
  {
    title: 'a reference that is no percent-encoding',
    makes: "openapi.yaml, $ref: '#/%'",
    write: (place) => place.write('hostile', head + route("{ $ref: '#/%' }")),
    says: /has a reference with "%"/,
  },
  {
    title: '16 MB of YAML',
    makes: 'openapi.yaml, a list of 1,290,000 words',
    write: (place) => place.write('hostile', `${head}x:\n${'  - abcdefgh\n'.repeat(1_290_000)}`),
    says: /has more than the 1 MB that is read as YAML/,
  },
  {
    title: '1 MB of YAML',
    makes: 'openapi.yaml, a list of 80,000 words',
    write: (place) => place.write('hostile', `${head}x:\n${'  - abcdefgh\n'.repeat(80_000)}`),
    says: /no GET or POST answers with a field "token"/,
  },
  {
    title: 'a key twice behind 60,000 others',
    makes: 'openapi.yaml, keys k0 to k59998, and k0',
    write: (place) =>
      place.write(
        'hostile',
        `${head}${Array.from({ length: 60_000 }, (_, index) => `k${index % 59_999}: 1`).join('\n')}`,
      ),
    says: /the key "k0" is given twice/,
  },
  {
    title: 'tags',
    makes: 'openapi.yaml, !!a 100,000 times',
    write: (place) => place.write('hostile', `${head}x: ${'!!a '.repeat(100_000)}`),
    says: /has more than 1000 tags/,
  },
]

const reading: readonly (readonly [command: string, args: (file: string) => string[]])[] = [
  ['report', (file) => ['report', file, '--format', 'markdown']],
  ['diff', (file) => ['diff', file, file]],
  ['merge', (file) => ['merge', file]],
]

export const commandCases: readonly HostileCase[] = [
  ...results.flatMap((file) => reading.map(([command, args]) => caseOf(command, args, file, 2))),
  ...documents.map((file) => caseOf('detect', (name) => ['detect', '--openapi', name], file, null)),
  {
    name: 'verify: generators that are never closed',
    makes: 'a pact whose generator is ${ 500,000 times',
    seconds: 10,
    megabytes: 400,
    isInSlice: false,
    async run(notePeak) {
      await using place = await createWorkplace({})
      await using provider = await startListening(
        createServer((_, response) => response.end('{}')),
        { host: '127.0.0.1', port: 0 },
      )
      await place.write('hostile.json', JSON.stringify(pactOf('${'.repeat(500_000))))
      const url = `http://127.0.0.1:${provider.port}/token`
      const args = [
        'verify',
        'backend',
        '--url',
        url,
        '--pact',
        'hostile.json',
        '--credential',
        'session=abc123',
      ]
      const { code, stderr, peakMegabytes } = await place.start(args).ended
      notePeak(peakMegabytes)
      assert.doesNotMatch(stderr, /internal error/)
      assert.ok(code === 1 || code === 2 || code === 3, `ended with ${code}: ${stderr}`)
    },
  },
]

/** One sentence within 5 s of a processor, which the start of a command takes a part of. */
function caseOf(
  command: string,
  args: (file: string) => string[],
  { title, makes, write, says, isInSlice = false }: HostileFile,
  code: number | null,
): HostileCase {
  return {
    name: `${command}: ${title}`,
    makes,
    seconds: 5,
    megabytes: 400,
    isInSlice,
    async run(notePeak) {
      await using place = await createWorkplace({})
      await write(place)
      const ended = await place.start(args('hostile')).ended
      notePeak(ended.peakMegabytes)
      const said = ended.stderr + ended.stdout
      assert.match(said, says)
      assert.ok(said.length < 2000, `${said.length} characters were said`)
      assert.ok(code === null ? ended.code !== 4 : ended.code === code, `ended with ${ended.code}: ${said}`)
    },
  }
}

function pactOf(expression: string): unknown {
  return {
    consumer: { name: 'app' },
    provider: { name: 'backend' },
    interactions: [
      {
        type: 'Synchronous/HTTP',
        description: 'a call',
        request: {
          method: 'POST',
          path: '/token',
          headers: { authorization: ['Bearer a'] },
          generators: { header: { authorization: { type: 'ProviderState', expression } } },
        },
        response: { status: 200 },
      },
    ],
    metadata: { pactSpecification: { version: '4.0' } },
  }
}
