import { expect, test } from 'vitest'
import { loadCatalogue } from './load-requirements.ts'

const checks = await loadCatalogue()

test('rests every MUST on a sentence of the specification, with a clause that the requirement names', () => {
  const without = checks
    .filter(({ level }) => level === 'MUST')
    .filter(({ basis, clauses }) => !clauses.some((clause) => basis?.includes(clause)))
    .map(({ id }) => id)
  expect(without).toEqual([])
})

test('gives no basis to a requirement that is no MUST', () => {
  const levelled = checks.filter(({ level, basis }) => level !== 'MUST' && basis !== undefined)
  expect(levelled.map(({ id }) => id)).toEqual([])
})
