import { expect, test } from 'vitest'
import { frozenRun } from '../reports/testing/frozen-run.ts'
import { addLimits, listLimits } from './met-limits.ts'

test('a limit that was met is printed by what it cost, and is among the observations', () => {
  const limits = { mint: { repeated: 41, waitedSeconds: 63 } }
  expect(listLimits(limits)).toEqual([
    'the mint limits its rate: repeated requests 41, seconds in which some waited for their turn 63',
  ])
  expect(addLimits(frozenRun, limits).observations).toMatchObject({ 'mint.rateLimit': limits.mint })
  expect(addLimits(frozenRun, {})).toBe(frozenRun)
})

test('a block is printed apart from a limit', () => {
  const blocked = { seconds: 60, rejections: 31 }
  expect(listLimits({ signaling: { repeated: 0, waitedSeconds: 0, blocked } })).toEqual([
    'signaling refused every request for 60 s, after 31 that it had rejected',
  ])
})
