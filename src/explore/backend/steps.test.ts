import { expect, test } from 'vitest'
import { createRandom } from '../../base/seeded-random.ts'
import { anyOf, listOf } from '../engine/draw.ts'
import { answers, type BackendStep, callers, makeSteps } from './steps.ts'

/** Five minutes of a backend that takes 50 ms for an answer. */
const rounds = 80

test('most threes of failures come together in a round of stories, and some rounds have two alone', () => {
  const random = createRandom(1)
  const drawn = Array.from({ length: rounds }, () =>
    failuresOf(listOf(anyOf(makeSteps(callers, true, random)), 500, 500)(random)),
  )
  const failures = answers.slice(2)
  const threes = failures.flatMap((first, place) =>
    failures
      .slice(place + 1)
      .flatMap((second, next) => failures.slice(place + next + 2).map((third) => [first, second, third])),
  )
  const together = threes.filter((three) =>
    drawn.some((round) => three.every((failure) => round.has(failure))),
  )
  expect(together.length / threes.length).toBeGreaterThan(0.8)
  expect(drawn.filter(({ size }) => size <= 2).length).toBeGreaterThan(rounds / 10)
})

function failuresOf(steps: readonly BackendStep[]): ReadonlySet<string> {
  const failures: readonly string[] = answers.slice(2)
  return new Set(
    steps.flatMap((step) => (step.does === 'ask' && failures.includes(step.mint) ? [step.mint] : [])),
  )
}
