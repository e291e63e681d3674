import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTrials } from './trials.ts'

/** More than an abort takes, which writes a trace of its stack, on a busy machine. */
const mostSeconds = 8
const program = join(import.meta.dirname, 'testing/trials.worker.ts')

test('a trial that hangs and one that ends its process are named, and those behind them are made', async () => {
  const { faults, megabytes } = await makeTrials({ program, task: [0, 1, 2, 3, 4, 5], mostSeconds })
  expect(faults).toEqual([
    { index: 1, fault: 'a fault' },
    { index: 2, fault: `hang: no end after ${mostSeconds} s of a processor` },
    { index: 3, fault: 'crash: the process ended with SIGABRT' },
    { index: 5, fault: 'the last' },
  ])
  expect(megabytes).toBeGreaterThan(10)
})

test('the process of the trials ends with the one that asked for them', async () => {
  const child = fork(program, { execArgv: ['--no-warnings'], serialization: 'advanced' })
  const exit = once(child, 'exit')
  child.send({ task: [6], from: 0 })
  await once(child, 'message')
  child.disconnect()
  expect(await exit).toEqual([0, null])
})
