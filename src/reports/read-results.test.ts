import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../base/temp-folder.ts'
import { auditFormats, listFormats, loadFormat, offerFormats, runFormats } from './formats.ts'
import { parseResults, readResults } from './read-results.ts'
import type { RunResults } from './results.ts'
import { frozenRun, frozenText } from './testing/frozen-run.ts'

test.each([
  ['what a run wrote', frozenText],
  ['what a newer version wrote, without what that has besides', JSON.stringify({ ...frozenRun, novelty: 1 })],
  ['what an editor or a shell put a byte order mark before', `\uFEFF${frozenText}`],
])('reads %s', (_, text) => {
  expect(parseResults(text, 'results.json')).toEqual(JSON.parse(frozenText))
})

const audited = JSON.stringify({ tool: { name: 'twotoken', version: '1.0.0' }, complete: true, audited: [] })
const older = frozenText
  .replace('"version": "1.0.0"', '"version": "0.9.0"')
  .replace('"durationMs": 5321', '"ms": 1')

test.each([
  ['no JSON', 'results', 'is not JSON'],
  ['nothing', '', 'is empty'],
  ['blanks', ' \n', 'is empty'],
  ['half a file', frozenText.slice(0, 3000), 'is truncated JSON'],
  ['what the audit wrote', audited, 'contains results of twotoken audit'],
  ['another document', '{"complete":true}', 'contains no results of a run (tool is invalid)'],
  ['a list', '[]', 'contains no results of a run (it is invalid)'],
  ['null', 'null', 'contains no results of a run (it is invalid)'],
  [
    'an unknown verdict',
    frozenText.replace('"verdict": "pass"', '"verdict": "great"'),
    'contains no results of a run (checks.0.verdict is invalid)',
  ],
  [
    'what another version wrote',
    older,
    'was written by twotoken 0.9.0, which twotoken 1.0.0 cannot read (durationMs is invalid)',
  ],
  [
    'a count that is made up',
    frozenText.replace('"fail": 2', '"fail": 0'),
    'is inconsistent: its summary counts 0 fail, its checks 2',
  ],
  [
    'an outcome that is made up',
    frozenText.replace('"outcome": "nonconformant"', '"outcome": "conformant"'),
    'is inconsistent: its outcome is conformant, but its checks give nonconformant',
  ],
])('%s is one sentence', (_, text, sentence) => {
  expect(() => parseResults(text, 'results.json')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `results.json ${sentence}; use the results.json of twotoken run`,
    }),
  )
})

test.each(['/nowhere/results.json', '/tmp'])(
  'a file that cannot be read is one sentence: %s',
  async (file) => {
    await expect(readResults(file)).rejects.toMatchObject({ code: 'usage' })
  },
)

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const deepObject = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
const withObservation = (value: string) =>
  JSON.stringify({ ...frozenRun, observations: { 'mint.odd': 'here' } }).replace('"here"', value)

test.each([
  ['nested arrays', deep(100_000), 'is nested deeper than any results'],
  ['results with nested arrays', withObservation(deep(100_000)), 'is nested deeper than any results'],
  ['results with nested objects', withObservation(deepObject), 'is nested deeper'],
  ['a number', '1', 'contains no results of a run'],
  ['a field __proto__', '{"__proto__":{"tool":{"name":"twotoken"}}}', 'contains no results of a run'],
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

test('the help and the errors name every format, in the order of the registry', () => {
  expect(offerFormats(auditFormats)).toBe('text, json, sarif, junit or html')
  expect(offerFormats({ text: 1 })).toBe('text')
  expect(offerFormats(runFormats)).toBe('html, github, junit, sarif, markdown or ctrf')
  expect(listFormats(auditFormats)).toBe('text, json, sarif, junit, html')
})

test.each(['pdf', 'HTML', 'toString', '__proto__', ''])('%s is no format', async (name) => {
  await expect(loadFormat<RunResults>(runFormats, name)).rejects.toThrow('use one of html, github, junit')
})
