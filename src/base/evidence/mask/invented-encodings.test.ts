import { expect, test } from 'vitest'
import { transformations } from './testing/encodings.ts'
import { invent } from './testing/invent.ts'

test('nothing that is shown tells eight characters of a secret, however a peer has encoded it', () => {
  expect(transformations.length).toBeGreaterThanOrEqual(60)
  const leaks = Array.from({ length: 400 }, (_, seed) => invent(seed)).filter(({ leak }) => leak !== null)
  expect(leaks).toEqual([])
  // Ten thousand secrets: as long as a whole run.
}, 600_000)
