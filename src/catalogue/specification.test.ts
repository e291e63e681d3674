import { expect, test } from 'vitest'
import { loadCatalogue } from './load-requirements.ts'
import { specification } from './specification.ts'

const ids = new Set(specification.map(({ id }) => id))
const catalogue = await loadCatalogue()

test('each clause that a requirement rests on is retold', () => {
  const cited = catalogue.flatMap(({ id, clauses, basis = '' }) => [
    ...clauses.map((clause) => `${id} ${clause}`),
    ...[...basis.matchAll(/\((\d[\d.]*(?:, \d[\d.]*)*)\)/g)].flatMap(([, list = '']) =>
      list.split(', ').map((clause) => `${id} ${clause}`),
    ),
  ])
  expect(cited.filter((text) => !ids.has(text.split(' ')[1] ?? ''))).toEqual([])
})

test('each clause has a number of its own, in order', () => {
  const numbers = specification.map(({ id }) => id)
  expect(numbers).toEqual(
    [...ids].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })),
  )
})
