import { expect, test } from 'vitest'
import type { SignalingProfile } from '../../signaling/profile.ts'
import { quickProfile } from '../../signaling/testing/loopback.ts'
import { deriveResponses } from './signaling-responses.ts'

const page = { seesStatus: false }
const error401 = { frame: { path: '$.error.code', equals: 401 } }
const profile = (change: Partial<SignalingProfile>): SignalingProfile => ({ ...quickProfile, ...change })

test('a page is refused in a way that it can see, where the profile names one', () => {
  expect(deriveResponses(quickProfile, page).refusals).toEqual({ atConnect: 'close', inSession: 'close' })
  const byFrame = profile({ unauthorized: [{ http: [401] }, error401] })
  expect(deriveResponses(byFrame, page)).toMatchObject({
    refusals: { atConnect: 'frame', inSession: 'frame' },
    refusalFrame: '{"error":{"code":401}}',
  })
  const byStatus = deriveResponses(profile({ unauthorized: [{ http: [403, 401] }] }), page)
  expect(byStatus).toMatchObject({ refusals: { atConnect: 'http', inSession: null }, status: 401 })
})

test('a sample of a refusal is sent before the close, and no frame that is made from a sign', () => {
  const unauthorized = [{ close: [4401] }, error401]
  const refusals = { atConnect: 'close', inSession: 'close' }
  expect(deriveResponses(profile({ unauthorized }), page)).toMatchObject({ refusals, refusalFrame: null })
  const samples = { unauthorized: '{"error":{"code":401,"message":"jwt expired"}}' }
  expect(deriveResponses(profile({ unauthorized, samples }), page)).toMatchObject({
    refusals,
    closeCode: 4401,
    refusalFrame: samples.unauthorized,
  })
})

test('the greeting is the sample, else made from the sign, and is not sent where no carriage waits for one', () => {
  const after = { text: { startsWith: '0' } }
  const carriage = { in: 'message', template: '40{"token":"{jwt}"}', after } as const
  const samples = { greeting: '0{"sid":"1"}' }
  expect(deriveResponses(profile({ carriage, samples }), page).greeting).toBe('0{"sid":"1"}')
  expect(deriveResponses(profile({ carriage }), page).greeting).toBe('0')
  expect(deriveResponses(profile({ samples }), page).greeting).toBeNull()
})

test('a program is refused as the profile names first', () => {
  expect(deriveResponses(quickProfile, { seesStatus: true }).refusals.atConnect).toBe('http')
})

test('the welcome is the sample, else made from the sign, else nothing', () => {
  expect(deriveResponses(quickProfile, page).welcome('u-1')).toBe('{"type":"welcome"}')
  const samples = { success: '{"hello":"{userId}"}' }
  expect(deriveResponses(profile({ samples }), page).welcome('u-"1"')).toBe('{"hello":"u-\\"1\\""}')
  expect(deriveResponses(profile({ success: [{ quietOpenMs: 500 }] }), page).welcome('u-1')).toBeNull()
  const nested = { frame: { path: "$['a'][1].b", equals: true } }
  expect(deriveResponses(profile({ success: [nested] }), page).welcome('')).toBe('{"a":[null,{"b":true}]}')
})
