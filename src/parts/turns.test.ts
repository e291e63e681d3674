import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

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
