import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../base/temp-folder.ts'
import { parseResults, readResults } from './read-results.ts'
import { frozenRun } from './testing/frozen-run.ts'

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const withObservation = (value: string) =>
  JSON.stringify({ ...frozenRun, observations: { 'mint.odd': 'here' } }).replace('"here"', value)

test.each([
  ['nested arrays', deep(100_000), 'is nested deeper than any results'],
  ['results with nested arrays', withObservation(deep(100_000)), 'is nested deeper than any results'],
  [
    'results with nested objects',
    withObservation(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    'is nested deeper',
  ],
  ['a number', '1', 'contains no results of a run'],
  [
    'a field __proto__',
    '{"__proto__":{"tool":{"name":"twotoken","version":"1"}}}',
    'contains no results of a run',
  ],
])('a file with %s is refused in a sentence', (_, text, message) => {
  expect(() => parseResults(text, 'r.json')).toThrow(message)
})

test('a value of an observation may be as deep as a run records it', () => {
  expect(parseResults(withObservation(deep(64)), 'r.json').checks).toEqual(frozenRun.checks)
})

test('a file that is larger than any results is not read', async () => {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'results.json')
  await writeFile(file, '')
  await truncate(file, 1_073_741_824)
  await expect(readResults(file)).rejects.toMatchObject({
    code: 'usage',
    message: `${file} has 1024 MB, more than any results; use the results.json of twotoken run`,
  })
})
