import { expect, test } from 'vitest'
import { blameRows } from './describe-blame.ts'
import { parseResults } from './read-results.ts'
import { renderHtml } from './run/html.ts'
import { renderMarkdown } from './run/markdown.ts'
import { blame, blamedRun } from './testing/blamed-run.ts'
import { frozenRun } from './testing/frozen-run.ts'
import { elementsOf, everyElement, parseXml, textOf } from './testing/parse-xml.ts'

const rows = [
  ['nothing', 'fail', 'saw <b>|`a`; expected "b"'],
  ['mint', 'none', 'not possible: needs backend.fakeMint'],
  ['backend', 'pass', ''],
  ['mint and backend', 'error', 'control failed'],
]

test('a row names what was replaced, the verdict, and what was found or is missing', () => {
  expect(blameRows(blame).map(({ reference, verdict, detail }) => [reference, verdict, detail])).toEqual(rows)
})

test('results.json keeps the table, and refuses another part in it', () => {
  const text = JSON.stringify(blamedRun)
  const read = parseResults(text, 'results.json').checks.find(({ id }) => id === 'BACK-08')
  expect(read?.blame).toEqual(blame)
  expect(() => parseResults(text.replace('"replaced":["mint"]', '"replaced":["sms"]'), 'r.json')).toThrow(
    'r.json',
  )
})

test('the HTML report has the sentence and the table in the entry of the requirement, and none without', () => {
  const tables = (page: string) =>
    everyElement(parseXml(page)).filter(({ attributes }) => attributes['class'] === 'blame')
  const page = renderHtml(blamedRun)
  const [table, ...others] = tables(page)
  if (table === undefined) throw new Error('no table of blame')
  expect(others).toEqual([])
  const [body = table] = elementsOf(table, 'tbody')
  const cells = elementsOf(body, 'tr').map((row) =>
    ['th', 'td'].flatMap((name) => elementsOf(row, name).map((cell) => textOf(cell).trim())),
  )
  expect(cells).toEqual(rows)
  expect(page.split(blame.sentence)).toHaveLength(2)
  expect(tables(renderHtml(frozenRun))).toEqual([])
})

test('Markdown has the same table, escaped', () => {
  const lines = renderMarkdown(blamedRun).split('\n')
  const at = lines.indexOf('| reference as | verdict | found |')
  expect(lines.slice(at + 2, at + 6)).toEqual([
    '| nothing | fail | saw \\<b\\>\\|\\`a\\`; expected "b" |',
    '| mint | none | not possible: needs backend.fakeMint |',
    '| backend | pass |  |',
    '| mint and backend | error | control failed |',
  ])
  expect(lines.slice(0, at)).toContain(blame.sentence)
  expect(renderMarkdown(frozenRun)).not.toContain('reference as')
})
