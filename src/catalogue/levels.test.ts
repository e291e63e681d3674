import { expect, test } from 'vitest'
import { loadCatalogue } from './load-requirements.ts'

const checks = await loadCatalogue()
const citations = /\((\d[\d.]*(?:, \d[\d.]*)*)\)/g

test('rests every MUST on a sentence of the specification, with clauses that the requirement names', () => {
  const without = checks
    .filter(({ level }) => level === 'MUST')
    .filter(({ basis = '', clauses }) => {
      const cited = [...basis.matchAll(citations)].flatMap(([, list = '']) => list.split(', '))
      return cited.length === 0 || !cited.every((clause) => clauses.includes(clause))
    })
    .map(({ id }) => id)
  expect(without).toEqual([])
})

test('gives no basis to a requirement that is no MUST', () => {
  const levelled = checks.filter(({ level, basis }) => level !== 'MUST' && basis !== undefined)
  expect(levelled.map(({ id }) => id)).toEqual([])
})
