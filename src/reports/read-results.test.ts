import { expect, test } from 'vitest'
import { parseResults, readResults } from './read-results.ts'
import { frozenRun, frozenText } from './testing/frozen-run.ts'

const frozen: unknown = JSON.parse(frozenText)

test('reads what a run wrote', () => {
  expect(frozenRun).toEqual(frozen)
})

test('leaves out what a newer version wrote besides', () => {
  const newer = JSON.stringify({ ...frozenRun, novelty: 1 })
  expect(parseResults(newer, 'newer.json')).toEqual(frozenRun)
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

test('reads what an editor or a shell put a byte order mark before', () => {
  expect(parseResults(`\uFEFF${frozenText}`, 'marked.json')).toEqual(frozenRun)
})

test.each(['/nowhere/results.json', '/tmp'])(
  'a file that cannot be read is one sentence: %s',
  async (file) => {
    await expect(readResults(file)).rejects.toMatchObject({ code: 'usage' })
  },
)
