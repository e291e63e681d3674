import { expect, test } from 'vitest'
import { OverEffort, partOf, pay, raise } from './effort.ts'

const left = ({ steps, bytes }: { readonly steps: number; readonly bytes: number }) => ({ steps, bytes })

test('the whole pays the steps of its parts, and nothing is paid that either cannot', () => {
  const whole = partOf(null, { steps: 10, bytes: 100 })
  const part = partOf(whole, { steps: 8, bytes: 1000 })
  pay(part, 3, 400)
  expect([left(part), left(whole)]).toEqual([
    { steps: 5, bytes: 600 },
    { steps: 7, bytes: 100 },
  ])
  pay(whole, 3)
  for (const [steps, bytes, effort] of [
    [6, 0, part],
    [5, 0, whole],
    [0, 601, part],
    [Number.NaN, 0, part],
    [0, Number.POSITIVE_INFINITY, part],
  ] as const) {
    const error = thrownBy(() => pay(part, steps, bytes))
    expect(error).toBeInstanceOf(OverEffort)
    expect((error as OverEffort).effort).toBe(effort)
  }
  expect([left(part), left(whole)]).toEqual([
    { steps: 5, bytes: 600 },
    { steps: 4, bytes: 100 },
  ])
  raise(whole, 1)
  pay(part, 5, 600)
  expect([left(part), left(whole)]).toEqual([
    { steps: 0, bytes: 0 },
    { steps: 0, bytes: 100 },
  ])
})

function thrownBy(run: () => void): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
