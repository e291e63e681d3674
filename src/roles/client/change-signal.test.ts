import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createChangeSignal } from './change-signal.ts'

test('a standstill of the machine puts the deadline off', async () => {
  const signal = createChangeSignal()
  let hasHappened = false
  const waiting = signal.waitFor(() => hasHappened, 2000)
  // The first look is over.
  await setImmediate()
  // The whole process stands still, as on a machine that is very busy.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000)
  setTimeout(() => {
    hasHappened = true
    signal.notify()
  }, 100)
  expect(await waiting).toBe(true)
})

test('a deadline ends a wait for what does not happen', async () => {
  expect(await createChangeSignal().waitFor(() => false, 100)).toBeNull()
})
