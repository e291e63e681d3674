import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderDiffMarkdown } from './diff-markdown.ts'
import { diffRuns } from './diff-runs.ts'
import { runFormats } from './formats.ts'
import { resultsSchema } from './read-results.ts'
import { anyResults } from './testing/arbitrary-results.ts'
import { parseXml } from './testing/parse-xml.ts'

const seed = 20_261_125

test.each(Object.entries(runFormats))('any results are rendered as %s', async (name, load) => {
  const render = await load()
  fc.assert(
    fc.property(anyResults, (results) => {
      const json = JSON.stringify(results)
      const text = render(results, json)
      expect(text).toBe(render(results, json))
      if (['sarif', 'badge-json', 'in-toto'].includes(name)) JSON.parse(text)
      if (name === 'junit') parseXml(text)
    }),
    { numRuns: 60, seed },
  )
})

test('any two results are compared', () => {
  fc.assert(
    fc.property(anyResults, anyResults, (older, other) => {
      fc.pre(older.checks.length > 0)
      const newer = { ...other, checks: [...other.checks, ...older.checks] }
      expect(renderDiffMarkdown(diffRuns(older, newer))).not.toBe('')
    }),
    { numRuns: 60, seed },
  )
})

test('the results that are made up are such that a file can hold', () => {
  fc.assert(
    fc.property(anyResults, (results) => {
      expect(resultsSchema.safeParse(results).error).toBeUndefined()
    }),
    { numRuns: 60, seed },
  )
})
