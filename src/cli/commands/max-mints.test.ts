import { expect, test } from 'vitest'
import { referenceMintPolicy } from '../../../fixtures/mint/policy.ts'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

/** A reference that counts what its mint issues, and a folder with its configuration. */
async function counting(change: object) {
  const count = { issued: 0 }
  const reference = await startReference({
    withoutDouble: true,
    variant: {
      mint: {
        success(...given) {
          count.issued += 1
          return referenceMintPolicy.success(...given)
        },
      },
    },
  })
  const place = await createWorkplace({ ...reference.written, ...change })
  const stop = () => Promise.all([place[Symbol.asyncDispose](), reference[Symbol.asyncDispose]()])
  return { ...place, count, [Symbol.asyncDispose]: async () => void (await stop()) }
}

test('a run keeps to its calling tokens, and fails no requirement for it', async () => {
  await using place = await counting({})
  const { code, stderr } = await place.start(['run', '--suite', 'mint', '--max-mints', '40']).ended
  const { checks } = await place.results()
  expect(place.count.issued).toBeLessThanOrEqual(40)
  expect(place.count.issued).toBeGreaterThan(20)
  expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([])
  const untested = checks.filter(({ verdict }) => verdict === 'untested')
  expect(untested.map(({ id }) => id)).toContain('MINT-13')
  for (const { reason } of untested)
    expect(reason).toMatch(/^needs up to \d+ calling tokens, but only \d+ of --max-mints 40 are left$/)
  expect(stderr).toContain('--max-mints 40: 2 calling tokens for the preparations')
  expect(code).toBe(3)
})

test('a budget for nothing judges what costs nothing', async () => {
  await using place = await counting({ limits: { maxMints: 0 } })
  const { code } = await place.start(['run', '--only', 'MINT-13,MINT-18', '--keep-going']).ended
  const { checks } = await place.results()
  expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['MINT-13', 'untested'],
    ['MINT-18', 'pass'],
  ])
  expect(place.count.issued).toBe(0)
  expect(code).toBe(3)
})

test('tokens that are not counted are not requested', async () => {
  await using place = await counting({})
  const { code, stderr } = await place.start(['run', '--max-mints', '10', '--with-contracts']).ended
  expect(stderr).toContain('--with-contracts cannot be combined with --max-mints')
  expect(code).toBe(2)
})
