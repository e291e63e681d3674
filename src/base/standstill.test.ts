import { expect, test } from 'vitest'
import { createStandstillMeter } from './standstill.ts'

/** Beats at these instants, and reads at the last. */
function worstOf(instants: readonly number[]): number {
  let now = 0
  const meter = createStandstillMeter(() => now)
  for (const instant of instants) {
    now = instant
    meter.beat()
  }
  return meter.worst()
}

test('beats that are a little late are no standstill', () => {
  expect(worstOf([250, 530, 790, 1100])).toBe(0)
})

test('a process that slept lost the time beyond its interval', () => {
  expect(worstOf([250, 500, 3750, 4000])).toBe(3000)
})

test('standstills that follow each other add up within a window', () => {
  expect(worstOf([250, 2500, 4750, 7000])).toBe(6000)
})

test('standstills far from each other do not add up', () => {
  const calm = Array.from({ length: 100 }, (_, at) => 2500 + at * 250)
  expect(worstOf([250, 2500, ...calm, 29_500])).toBe(2000)
})

test('a standstill counts for no more than the window', () => {
  expect(worstOf([250, 60_000])).toBe(8000)
})

test('a standstill that still lasts is measured', () => {
  let now = 0
  const meter = createStandstillMeter(() => now)
  now = 5250
  expect(meter.worst()).toBe(5000)
})

test('the time lost between two instants leaves the rest of a standstill out', () => {
  let now = 0
  const meter = createStandstillMeter(() => now)
  for (now of [250, 500, 3750, 4000]) meter.beat()
  expect([meter.lostIn(0, 4000), meter.lostIn(1750, 2750), meter.lostIn(3800, 4000)]).toEqual([3000, 1000, 0])
})
