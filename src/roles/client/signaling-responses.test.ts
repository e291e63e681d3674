import { expect, test } from 'vitest'
import { quickProfile } from '../signaling/testing/loopback.ts'
import type { SignalingProfile } from '../signaling/types.ts'
import { speechOf } from './signaling-responses.ts'

const page = { seesStatus: false }
const profile = (change: Partial<SignalingProfile>): SignalingProfile => ({ ...quickProfile, ...change })

test('a page is refused in a way that it can see, where the profile names one', () => {
  expect(speechOf(quickProfile, page).refusals).toEqual({ atConnect: 'close', inSession: 'close' })
  const byFrame = profile({
    unauthorized: [{ http: [401] }, { frame: { path: '$.error.code', equals: 401 } }],
  })
  expect(speechOf(byFrame, page)).toMatchObject({
    refusals: { atConnect: 'frame', inSession: 'frame' },
    refusalFrame: '{"error":{"code":401}}',
  })
  const byStatus = speechOf(profile({ unauthorized: [{ http: [403, 401] }] }), page)
  expect(byStatus).toMatchObject({ refusals: { atConnect: 'http', inSession: null }, status: 401 })
})

test('a program is refused as the profile names first', () => {
  expect(speechOf(quickProfile, { seesStatus: true }).refusals.atConnect).toBe('http')
})

test('the welcome is the sample, else made from the sign, else nothing', () => {
  expect(speechOf(quickProfile, page).welcome('u-1')).toBe('{"type":"welcome"}')
  const samples = { success: '{"hello":"{userId}"}' }
  expect(speechOf(profile({ samples }), page).welcome('u-"1"')).toBe('{"hello":"u-\\"1\\""}')
  expect(speechOf(profile({ success: [{ quietOpenMs: 500 }] }), page).welcome('u-1')).toBeNull()
  const nested = { frame: { path: "$['a'][1].b", equals: true } }
  expect(speechOf(profile({ success: [nested] }), page).welcome('')).toBe('{"a":[null,{"b":true}]}')
})
