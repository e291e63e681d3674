import { expect, test } from 'vitest'
import { createWatch, type Overrun } from './overrun.ts'

const megabyte = 1024 * 1024
const limits = { fileSeconds: 20, fileMemory: 100 * megabyte }

interface Moment {
  readonly seconds: number
  readonly processor?: number
  readonly megabytes?: number
  readonly beats?: number
  readonly file?: number | null
  readonly unpacked?: number
  readonly threads?: number
}

/** The first limit that is passed at one of the moments, and when. */
function watched(moments: readonly Moment[]): [Overrun, number] | null {
  const spendingAt = ({ seconds, processor = seconds, megabytes = 0, threads = 1 }: Moment) => ({
    now: seconds * 1000,
    processorMs: processor * 1000,
    residentBytes: megabytes * megabyte,
    busyThreads: threads,
  })
  const watch = createWatch(limits, spendingAt({ seconds: 0, threads: moments[0]?.threads ?? 1 }))
  for (const moment of moments) {
    const { seconds, beats = 0, file = 0, unpacked = 0 } = moment
    const over = watch({ beats, file, inflated: unpacked * megabyte }, spendingAt(moment))
    if (over !== null) return [over, seconds]
  }
  return null
}

const everySecond = (until: number, at: (seconds: number) => Partial<Moment>) =>
  Array.from({ length: until }, (_, index) => ({ seconds: index + 1, ...at(index + 1) }))

test('a file may take the seconds of its limit', () => {
  expect(watched(everySecond(60, () => ({})))).toEqual(['time', 20])
})

test.each([
  [
    'a machine that gives it a twentieth of a processor',
    (seconds: number) => ({ processor: seconds / 20 }),
    400,
  ],
  ['waiting for something else than a processor', (seconds: number) => ({ processor: seconds / 100 }), 200],
  ['another thread that is as busy', (seconds: number) => ({ processor: seconds, threads: 2 }), 40],
  ['two threads on two processors', (seconds: number) => ({ processor: 2 * seconds, threads: 2 }), 20],
])('the seconds are those of a processor: %s', (_, at, expected) => {
  expect(watched(everySecond(500, at))).toEqual(['time', expected])
})

test('the next file and the next entry have the whole limit', () => {
  expect(
    watched(everySecond(300, (seconds) => ({ file: Math.floor(seconds / 15), beats: seconds >> 4 }))),
  ).toBeNull()
})

test('a file with its entries has the time of what it unpacks to', () => {
  expect(watched(everySecond(300, (seconds) => ({ beats: seconds })))).toEqual(['total', 21])
  expect(
    watched(everySecond(300, (seconds) => ({ beats: seconds, unpacked: Math.min(20, seconds) }))),
  ).toEqual(['total', 59])
  expect(watched(everySecond(300, (seconds) => ({ beats: seconds, unpacked: seconds })))).toBeNull()
})

test('the file is not given up for an entry that has not taken the whole limit', () => {
  expect(watched(everySecond(300, (seconds) => ({ beats: Math.min(seconds, 15) })))).toEqual(['time', 34])
})

test('a machine that was asleep for an hour has not read for an hour', () => {
  const awake = everySecond(10, () => ({ processor: 0 }))
  const later = everySecond(10, () => ({ processor: 0 })).map(({ seconds }) => ({
    seconds: seconds + 3600,
    processor: 0,
  }))
  expect(watched([...awake, ...later])).toBeNull()
})

test('memory counts from when reading began', () => {
  expect(watched(everySecond(9, (seconds) => ({ beats: seconds, megabytes: 60 * seconds })))).toBeNull()
  expect(watched(everySecond(9, (seconds) => ({ megabytes: 500 + 60 * seconds })))).toEqual(['memory', 1])
  expect(watched(everySecond(9, (seconds) => ({ megabytes: 60 * seconds })))).toEqual(['memory', 2])
})

test('a thread that loads its program has no file that could be over a limit', () => {
  expect(watched(everySecond(100, () => ({ file: null })))).toBeNull()
})
