import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { verifyContracts } from './verify-contracts.ts'

test('the contracts of every provider stand beside the checks, joined to the requirements', async () => {
  await using reference = await startReference()
  const { checks, exchanges } = await verifyContracts(reference.configuration)
  expect(checks.map(({ verdict }) => verdict)).toEqual([
    ...Array(8).fill('pass'),
    'not-applicable',
    ...Array(3).fill('pass'),
  ])
  expect(checks.find(({ id }) => id === 'PACT-MINT-04')?.observations).toMatchObject({
    requirements: ['MINT-15'],
  })
  expect(new Set(exchanges.map(({ id }) => id)).size).toBe(exchanges.length)
})

test('a provider that is down is an error, and the other is still verified', async () => {
  await using reference = await startReference()
  await reference.mint[Symbol.asyncDispose]()
  const { checks } = await verifyContracts({ ...reference.configuration })
  expect(checks[0]).toMatchObject({ id: 'PACT-MINT', verdict: 'error' })
  expect(checks.find(({ id }) => id === 'PACT-BACK-03')?.verdict).toBe('pass')
})
