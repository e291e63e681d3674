import { expect, test } from 'vitest'
import { cpuSeconds } from '../testing/cpu-seconds.ts'
import { createCollector } from './collector.ts'

const sighting = (location: string, secret: string) =>
  ({
    rule: 'AUD-001',
    kind: 'key',
    level: 'error',
    format: 'text',
    decoder: 'utf-8',
    offset: 0,
    location,
    secret,
    show: 'ac_live_',
  }) as const

test('repeats the findings of a place, and of places inside it, in another place', () => {
  const collector = createCollector('ac_live_')
  collector.report(sighting('a!other', 'ac_live_1'))
  const start = collector.count()
  collector.report(sighting('a!x', 'ac_live_2'))
  collector.report(sighting('a!x!y', 'ac_live_3'))
  collector.report(sighting('b', 'ac_live_4'))
  collector.gap('corrupt', 'a!x!z', 'cut off')
  collector.repeat({ start, end: collector.count() }, 'a!x', 'c!x')
  expect(collector.findings().map(({ location }) => location)).toEqual([
    'a!other',
    'a!x',
    'a!x!y',
    'b',
    'c!x',
    'c!x!y',
  ])
  expect(collector.gaps().map(({ location }) => location)).toEqual(['a!x!z', 'c!x!z'])
  expect(collector.has('c', 'ac_live_3')).toBe(true)
})

test('repeating what was found in one entry takes no longer where much was found in others', async () => {
  const cost = (entries: number) =>
    cpuSeconds(async () => {
      const collector = createCollector('ac_live_')
      for (let index = 0; index < entries; index++) {
        const start = collector.count()
        collector.report(sighting(`a!${index}`, 'ac_live_1'))
        collector.repeat({ start, end: collector.count() }, `a!${index}`, `b!${index}`)
      }
      expect(collector.findings()).toHaveLength(2 * entries)
    })
  await cost(1000)
  const few = await cost(8000)
  expect(await cost(32_000)).toBeLessThan(10 * few)
})
