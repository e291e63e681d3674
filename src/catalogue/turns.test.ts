import { expect, test } from 'vitest'
import { sortByStage } from '../requirement/run.ts'
import { loadCatalogue } from './load-requirements.ts'

const catalogue = await loadCatalogue()

test.each([
  ['expiry', ['BACK-10', 'FLOW-03', 'MINT-26', 'SIG-06', 'SIG-07', 'SIG-09']],
  ['straining', ['BACK-07', 'BACK-22', 'SIG-05', 'SIG-33', 'SIG-36']],
] as const)('the stage %s has these', (stage, ids) => {
  const found = catalogue.filter((check) => check.stage === stage).map(({ id }) => id)
  expect(found.toSorted()).toEqual(ids)
})

// One that ends the other key, or a session, is the record of those behind it; a ban by the mint would keep tokens from signaling.
test('requirements that end something, or may be banned, come last and in this order', () => {
  const order = sortByStage(catalogue).map(({ id }) => id)
  expect(order.slice(-8)).toEqual([
    'FLOW-07',
    'SIG-35',
    'MINT-21',
    'BACK-21',
    'BACK-28',
    'SIG-32',
    'MINT-27',
    'SIG-30',
  ])
})

test('a requirement that scripts the double of the mint drives the backend', () => {
  const lacking = catalogue.filter(
    ({ role, needs, drives }) =>
      role !== 'backend' && needs.includes('mintDouble') && drives?.includes('backend') === false,
  )
  expect(lacking.map(({ id }) => id)).toEqual([])
})
