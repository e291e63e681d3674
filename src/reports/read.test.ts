import { expect, test } from 'vitest'
import { frozenRun, frozenText } from './frozen-run.ts'
import { parseResults, readResults } from './read.ts'

const frozen: unknown = JSON.parse(frozenText)

test('reads what a run wrote', () => {
  expect(frozenRun).toEqual(frozen)
})

test('leaves out what a newer version wrote besides', () => {
  const newer = JSON.stringify({ ...frozenRun, novelty: 1 })
  expect(parseResults(newer, 'newer.json')).toEqual(frozenRun)
})

test.each([
  ['no JSON', '{"tool":', 'results.json is not JSON'],
  ['nothing', '', 'results.json is not JSON'],
  [
    'another document',
    '{"complete":true}',
    'results.json holds no results of a run (tool is not what it should be)',
  ],
  ['a list', '[]', 'results.json holds no results of a run (it is not what it should be)'],
  [
    'a verdict that there is not',
    frozenText.replace('"verdict": "pass"', '"verdict": "great"'),
    'results.json holds no results of a run (checks.0.verdict is not what it should be)',
  ],
])('%s is one sentence', (_, text, sentence) => {
  expect(() => parseResults(text, 'results.json')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `${sentence}; expected the results.json that twotoken run wrote`,
    }),
  )
})

test.each(['/nowhere/results.json', '/tmp'])(
  'a file that cannot be read is one sentence: %s',
  async (file) => {
    await expect(readResults(file)).rejects.toMatchObject({ code: 'usage' })
  },
)
