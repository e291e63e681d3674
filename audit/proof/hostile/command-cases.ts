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

const reading: readonly (readonly [command: string, args: (file: string) => string[]])[] = [
  ['report', (file) => ['report', file, '--format', 'markdown']],
  ['diff', (file) => ['diff', file, file]],
  ['merge', (file) => ['merge', file]],
]

export const commandCases: readonly HostileCase[] = [
  ...results.flatMap((file) => reading.map(([command, args]) => caseOf(command, args, file))),
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
      assert.equal(ended.code, 2, said)
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
