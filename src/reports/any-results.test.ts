import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runFormats } from './formats.ts'
import { resultsSchema } from './read-results.ts'
import { anyResults } from './testing/arbitrary-results.ts'
import { parseXml } from './testing/parse-xml.ts'

const seed = 20_261_125

test.each(Object.entries(runFormats))('any results are rendered as %s', async (name, load) => {
  const render = await load()
  fc.assert(
    fc.property(anyResults, (results) => {
      const text = render(results)
      expect(text).toBe(render(results))
      if (['sarif', 'ctrf'].includes(name)) JSON.parse(text)
      if (name === 'junit') parseXml(text)
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
