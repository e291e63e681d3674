import { expect, test } from 'vitest'
import { OverEffort, partOf, pay, raise } from './effort.ts'

const left = ({ steps, bytes }: { readonly steps: number; readonly bytes: number }) => ({ steps, bytes })

test('the whole pays for its parts, and neither pays what either cannot', () => {
  const whole = partOf(null, { steps: 10, bytes: 100 })
  const part = partOf(whole, { steps: 4, bytes: 1000 })
  pay(part, 3, 40)
  expect([left(part), left(whole)]).toEqual([
    { steps: 1, bytes: 960 },
    { steps: 7, bytes: 60 },
  ])
  for (const [steps, bytes, over] of [
    [2, 0, part],
    [1, 61, whole],
    [Number.NaN, 0, part],
    [0, Number.POSITIVE_INFINITY, part],
  ] as const) {
    const error = thrownBy(() => pay(part, steps, bytes))
    expect(error).toBeInstanceOf(OverEffort)
    expect((error as OverEffort).effort).toBe(over)
  }
  expect([left(part), left(whole)]).toEqual([
    { steps: 1, bytes: 960 },
    { steps: 7, bytes: 60 },
  ])
  raise(whole, { steps: 0, bytes: 1 })
  pay(part, 1, 61)
  expect(left(whole)).toEqual({ steps: 6, bytes: 0 })
})

function thrownBy(run: () => void): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
