import { expect, test } from 'vitest'
import { loadCatalogue } from './load-requirements.ts'

const checks = await loadCatalogue()
const lists = { fail: 'fails', warn: 'warns', untested: 'untested' } as const

test('the method of a requirement names what gives each verdict that a broken variant gets', () => {
  const unnamed = checks.flatMap(({ id, how, catches }) =>
    Object.values(catches).flatMap(({ as = 'fail' }) =>
      as === 'error' || (how[lists[as]] ?? []).length > 0 ? [] : `${id} ${as}`,
    ),
  )
  expect([...new Set(unnamed)]).toEqual([])
})

test('the method of a requirement is sentences, and no list of it is empty', () => {
  const faults = checks.flatMap(({ id, how }) =>
    Object.values({ ...how }).flatMap((sentences) =>
      sentences.length > 0 && sentences.every((one) => /\S\.$/.test(one)) ? [] : id,
    ),
  )
  expect(faults).toEqual([])
})
