import { expect, test } from 'vitest'
import { loadCases, proveAgainWhereUndecided } from './cases.ts'

test('a variant that is proved once more has forgotten what was done to it', async () => {
  const cases = await loadCases(({ id }) => id === 'SIG-36')
  const ending = cases.find(({ name }) => name === 'SIG-36/ends with a large message')
  if (ending === undefined) throw new Error('SIG-36 has such a variant')
  expect(await ending.prove()).toMatchObject([{ holds: true }])
  // It is down now.
  expect(await ending.prove()).toMatchObject([{ holds: false, result: { verdict: 'error' } }])
  expect(await proveAgainWhereUndecided(ending)).toMatchObject([{ holds: true }])
})
