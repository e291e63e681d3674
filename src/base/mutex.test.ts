import { expect, test } from 'vitest'
import { createMutex } from './mutex.ts'

/** A step that goes on until it is let go. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { until: promise, release: resolve }
}

test('those who share run beside each other, one alone runs with none', async () => {
  const mutex = createMutex()
  const log: string[] = []
  const first = held()
  const second = held()
  const sharedA = mutex.runShared(async () => {
    log.push('a begins')
    await first.until
    log.push('a ends')
  })
  const sharedB = mutex.runShared(async () => {
    log.push('b begins')
    await second.until
    log.push('b ends')
  })
  const alone = mutex.runExclusive(async () => {
    log.push('alone')
  })
  const later = mutex.runShared(async () => {
    log.push('later')
  })
  second.release()
  await sharedB
  first.release()
  await Promise.all([sharedA, alone, later])
  expect(log).toEqual(['a begins', 'b begins', 'b ends', 'a ends', 'alone', 'later'])
})

test('sharing inside a turn of one’s own does not wait for it', async () => {
  const mutex = createMutex()
  expect(
    await mutex.runExclusive(() => mutex.runShared(async () => mutex.runExclusive(async () => 'done'))),
  ).toBe('done')
})

test('a failure is the failure of one, not of those who wait', async () => {
  const mutex = createMutex()
  const failing = mutex.runExclusive(() => Promise.reject(new Error('broken')))
  const next = mutex.runShared(async () => 'next')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

test('a turn that is due soon goes before those that have waited longer', async () => {
  const mutex = createMutex()
  const log: string[] = []
  const first = held()
  const running = mutex.runExclusive(() => first.until)
  const waiting = [
    mutex.runExclusive(async () => void log.push('exclusive')),
    mutex.runShared(async () => void log.push('shared')),
    mutex.runExclusive(async () => void log.push('due'), { soon: true }),
  ]
  first.release()
  await Promise.all([running, ...waiting])
  expect(log).toEqual(['due', 'exclusive', 'shared'])
})

test('turns of one group that wait at the same time are taken together, and none beside them', async () => {
  const mutex = createMutex()
  const log: string[] = []
  const first = held()
  const met = held()
  const running = mutex.runExclusive(() => first.until)
  const meet = async (name: string, isLast: boolean) => {
    log.push(`${name} begins`)
    if (isLast) met.release()
    await met.until
    log.push(`${name} ends`)
  }
  const waiting = [
    mutex.runExclusive(() => meet('one', false), { group: 'met' }),
    mutex.runExclusive(async () => void log.push('alone')),
    mutex.runExclusive(() => meet('other', true), { group: 'met' }),
  ]
  first.release()
  await Promise.all([running, ...waiting])
  const later = mutex.runExclusive(async () => void log.push('a later one'), { group: 'met' })
  await later
  expect(log).toEqual(['one begins', 'other begins', 'one ends', 'other ends', 'alone', 'a later one'])
})
