import { expect, test } from 'vitest'
import { createTurns } from './mutex.ts'

/** A step that goes on until it is let go. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { until: promise, release: resolve }
}

test('those who share run beside each other, one alone runs with nobody', async () => {
  const turns = createTurns()
  const log: string[] = []
  const first = held()
  const second = held()
  const sharedA = turns.shared(async () => {
    log.push('a begins')
    await first.until
    log.push('a ends')
  })
  const sharedB = turns.shared(async () => {
    log.push('b begins')
    await second.until
    log.push('b ends')
  })
  const alone = turns.alone(async () => {
    log.push('alone')
  })
  const later = turns.shared(async () => {
    log.push('later')
  })
  second.release()
  await sharedB
  first.release()
  await Promise.all([sharedA, alone, later])
  expect(log).toEqual(['a begins', 'b begins', 'b ends', 'a ends', 'alone', 'later'])
})

test('sharing inside a turn of one’s own does not wait for it', async () => {
  const turns = createTurns()
  expect(await turns.alone(() => turns.shared(async () => turns.alone(async () => 'done')))).toBe('done')
})

test('a failure is the failure of one, not of those who wait', async () => {
  const turns = createTurns()
  const failing = turns.alone(() => Promise.reject(new Error('broken')))
  const next = turns.shared(async () => 'next')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

test('a turn that is due soon goes before those that have waited longer', async () => {
  const turns = createTurns()
  const log: string[] = []
  const first = held()
  const running = turns.alone(() => first.until)
  const waiting = [
    turns.alone(async () => void log.push('exclusive')),
    turns.shared(async () => void log.push('shared')),
    turns.alone(async () => void log.push('due'), { soon: true }),
  ]
  first.release()
  await Promise.all([running, ...waiting])
  expect(log).toEqual(['due', 'exclusive', 'shared'])
})
