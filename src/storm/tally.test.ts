import { expect, test } from 'vitest'
import { percentile, recordMs } from './histogram.ts'
import { judgeStorm } from './judge-storm.ts'
import { loadRequirements } from './requirements.ts'
import { createTally, increase, mergeTallies, noteBreach, noteTime } from './tally.ts'

test('a percentile is within 2 % of the sorted times', () => {
  const histogram = {}
  const times = Array.from({ length: 5000 }, (_, place) => 1 + ((place * 7919) % 5000) ** 1.3)
  for (const time of times) recordMs(histogram, time)
  const sorted = times.toSorted((a, b) => a - b)
  for (const share of [0.5, 0.95, 0.99, 1]) {
    const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? 0
    const read = percentile(histogram, share) ?? 0
    expect(Math.abs(read - exact) / exact).toBeLessThan(0.02)
  }
})

test('the percentiles of two machines are those of all their times, not an average', () => {
  const [fast, slow, both] = [createTally(0), createTally(0), createTally(0)]
  for (let place = 0; place < 990; place += 1) for (const one of [fast, both]) noteTime(one, 'mint', 10)
  for (let place = 0; place < 10; place += 1) for (const one of [slow, both]) noteTime(one, 'mint', 1000)
  const merged = mergeTallies([fast, slow])
  expect(merged.times).toEqual(both.times)
  expect(percentile(merged.times.mint, 0.99)).toBeLessThan(11)
  expect(percentile(merged.times.mint, 0.995)).toBeGreaterThan(980)
  expect(merged.generators).toBe(2)
})

test('merged breaches of one case are one finding with their sum', () => {
  const breached = { case: 'the mint', saw: 'a token of another user', expected: 'its own', fix: 'Fix it.' }
  const parts = [createTally(0), createTally(5)] as const
  for (const part of parts) {
    increase(part.counts, 'owners judged')
    noteBreach(part, 'LOAD-01', breached)
  }
  const [first] = judgeStorm(mergeTallies(parts), null)
  expect(first).toMatchObject({ id: 'LOAD-01', verdict: 'fail' })
  expect(first?.findings.map(({ seen }) => seen)).toEqual(['2 times a token of another user'])
})

test('a storm that was served nothing passes nothing', () => {
  const verdicts = judgeStorm(createTally(0), null).map(({ verdict }) => verdict)
  expect(new Set(verdicts)).toEqual(new Set(['untested']))
})

test('the basis of every requirement cites clauses that it names', () => {
  const without = loadRequirements.filter(({ basis, clauses }) => {
    const cited = [...basis.matchAll(/\((\d[\d.]*(?:, \d[\d.]*)*)\)/g)].flatMap(([, list = '']) =>
      list.split(', '),
    )
    return cited.length === 0 || !cited.every((clause) => (clauses as readonly string[]).includes(clause))
  })
  expect(without).toEqual([])
})
