import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { beginsDeflated } from './deflate-head.ts'

const key = 'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6Dq5Lh0Js'

test.each([key, `{"key":"${key}"}`, `the key of this program is ${key}, and it is secret `.repeat(20)])(
  'recognises the beginning of %s',
  (text) => {
    for (const level of [1, 6, 9]) expect(beginsDeflated(deflateRawSync(text, { level }))).toBe(true)
  },
)

test('takes hardly any random bytes for it', () => {
  let state = 20_261_123
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }
  const taken = Array.from({ length: 10_000 }, () => Buffer.from(Array.from({ length: 18 }, random))).filter(
    beginsDeflated,
  )
  expect(taken.length).toBeLessThan(300)
})
