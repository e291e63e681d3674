import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { frozenRun } from '../../src/reports/testing/frozen-run.ts'
import { foldersOf } from './applications.ts'
import { frameworks } from './frameworks.ts'
import { readRows, renderResultsPage, resultsFile, rowsOf } from './results-page.ts'

const rows = await readRows()

test('docs/results.md is what npm run proof -- frameworks --write makes of its rows', async () => {
  expect(await readFile(resultsFile, 'utf8')).toBe(await renderResultsPage(rows))
})

test('a warning is advised in the words of the first framework that has it, whichever ends last', async () => {
  const checks = frozenRun.checks
    .slice(0, 1)
    .map((check) => ({ ...check, id: 'BACK-12', verdict: 'warn' as const }))
  const keysOf = async (name: string) => {
    const framework = frameworks[name]
    if (framework === undefined) throw new Error(`no framework ${name}`)
    return [...(await rowsOf(name, framework, '1.0', { ...frozenRun, checks })).keys()]
  }
  expect(await keysOf('express-passport')).toEqual(['Express, Passport', 'BACK-12'])
  expect(await keysOf('fastify')).toEqual(['Fastify'])
})

test.each(Object.entries(frameworks))(
  '%s has a row on the page, with its code and the warnings that the proof expects',
  (name, framework) => {
    const { title, advised } = framework
    const [, , code = '', version, date, passed, warnings] = (rows.get(title) ?? '').split('|')
    expect([...code.matchAll(/\/apps\/([\w-]+)\)/g)].map(([, folder]) => folder)).toEqual(
      foldersOf(name, framework),
    )
    expect([version, date, passed].join(' ')).toMatch(/^[\d.]+ \d{4}-\d\d-\d\d \d+$/)
    expect(warnings).toBe(advised.join(', '))
  },
)
