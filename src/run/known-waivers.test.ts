import { expect, test } from 'vitest'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { assertKnown } from './known-waivers.ts'

const catalogue = await loadCatalogue()

test('a waiver of a requirement that there is not is an error, with the nearest', () => {
  expect(() => assertKnown([{ id: 'SIG-98', reason: 'a slip' }], catalogue)).toThrow(
    expect.objectContaining({
      code: 'configuration',
      message: expect.stringMatching(
        /^waivers name SIG-98, which is no requirement; the nearest are .*SIG-08/,
      ),
    }),
  )
})

test('waivers of requirements, and of contracts that are known only later, are none', () => {
  const waivers = ['SIG-08', 'MINT-01', 'PACT-04'].map((id) => ({ id, reason: 'later' }))
  expect(() => assertKnown(waivers, catalogue)).not.toThrow()
})
