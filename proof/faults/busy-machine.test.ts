import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadVariants } from '../../src/catalogue/load-variants.ts'
import { proveInProcesses } from '../variants/proof-process.ts'

// Continuous integration shares its machines: a conforming implementation must not fail on a busy one.

const busyProcesses = 16
/** They end by themselves, should the test not end them. */
const spin = 'const end = Date.now() + 600_000; while (Date.now() < end);'

let spinning: ChildProcess[] = []
beforeAll(() => {
  spinning = Array.from({ length: busyProcesses }, () =>
    spawn(process.execPath, ['-e', spin], { stdio: 'ignore' }),
  )
})
afterAll(() => {
  for (const child of spinning) child.kill('SIGKILL')
})

const { conforming } = await loadVariants()
const parts = ['mint', 'backend', 'signaling', 'client', 'bundle'] as const

describe('while 16 processes are busy', () => {
  // At the same time, each in a process of its own: the machine is only more busy for it.
  test.concurrent.each(parts)('a conforming variant of the %s does not fail', async (part) => {
    const first = [...conforming.keys()].find((name) => name.startsWith(`${part}/`)) ?? ''
    const proved = await proveInProcesses(
      { ids: [], conforming: first, slice: 0, isRest: false },
      1,
      () => {},
    )
    const cells = proved.flatMap((one) => one.cells)
    expect(spinning.filter(({ exitCode }) => exitCode !== null)).toEqual([])
    expect(cells.length).toBeGreaterThan(0)
    const accused = cells.filter(({ result }) => result.verdict === 'fail')
    expect(
      accused.map(({ result }) => [result.id, ...result.findings.map(({ message }) => message)]),
    ).toEqual([])
  })
})
