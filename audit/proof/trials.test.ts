import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTrials } from './trials.ts'

const program = join(import.meta.dirname, 'testing/trials.worker.ts')

test('a trial that hangs and one that ends its process are named, and those behind them are made', async () => {
  const { faults, megabytes } = await makeTrials({ program, task: [0, 1, 2, 3, 4, 5], mostSeconds: 2 })
  expect(faults).toEqual([
    { index: 1, fault: 'a fault' },
    { index: 2, fault: 'hang: no end after 2 s of a processor' },
    { index: 3, fault: 'crash: the process ended with SIGABRT' },
    { index: 5, fault: 'the last' },
  ])
  expect(megabytes).toBeGreaterThan(10)
})
