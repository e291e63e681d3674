import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { frameworks } from './frameworks.ts'
import { readRows, renderResultsPage, resultsFile } from './results-page.ts'

const rows = await readRows()

test('docs/results.md is what npm run proof -- frameworks --write makes of its rows', async () => {
  expect(await readFile(resultsFile, 'utf8')).toBe(await renderResultsPage(rows))
})

test.each(Object.values(frameworks))(
  '$title has a row on the page, with the warnings that the proof expects',
  ({ title, advised }) => {
    const [, , version, date, passed, warnings] = (rows.get(title) ?? '').split('|')
    expect([version, date, passed].join(' ')).toMatch(/^[\d.]+ \d{4}-\d\d-\d\d \d+$/)
    expect(warnings).toBe(advised.join(', '))
  },
)
