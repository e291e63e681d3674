import { expect, test } from 'vitest'
import { createJudge, type Try } from './judge.ts'
import { outlastStandstills } from './outlast-standstills.ts'

const breach = { saw: 'no new call', expected: 'a new call', fix: 'Call again.' }

function tryOf(standstillMs: number, holds: boolean, more: object = {}): Try {
  const judge = createJudge('MUST')
  judge.must(holds, { ...breach, ...more })
  return { conclude: judge.conclude, standstillMs }
}

async function settle(first: Try, ...next: readonly Try[]) {
  const left = [...next]
  const again = async () => left.shift() ?? first
  const { verdict, reason } = (await outlastStandstills(first, again)).conclude()
  return { verdict, reason, tries: 1 + next.length - left.length }
}

test('a violation on a machine that kept going stands', async () => {
  expect(await settle(tryOf(300, false), tryOf(0, true))).toMatchObject({ verdict: 'fail', tries: 1 })
})

test('a client that was accused during a standstill is judged again', async () => {
  expect(await settle(tryOf(7000, false), tryOf(0, true))).toMatchObject({ verdict: 'pass', tries: 2 })
})

test('a client that is accused again without a standstill fails', async () => {
  expect(await settle(tryOf(7000, false), tryOf(0, false))).toMatchObject({ verdict: 'fail', tries: 2 })
})

test('a client that passed during a standstill is not judged again', async () => {
  expect(await settle(tryOf(7000, true), tryOf(0, false))).toMatchObject({ verdict: 'pass', tries: 1 })
})

test('a machine that stands still in each try makes it untested, with the reason', async () => {
  const still = tryOf(7000, false)
  expect(await settle(still, still, still)).toEqual({
    verdict: 'untested',
    reason:
      'this machine stood still for 7 of 8 s in each of 3 tries, and clients give up meanwhile; judge it on a machine that is less busy',
    tries: 3,
  })
})

test('a secret that was seen during a standstill was seen', async () => {
  const leak = tryOf(7000, false, { isShown: true })
  expect(await settle(leak, tryOf(0, true))).toMatchObject({ verdict: 'fail', tries: 1 })
})
