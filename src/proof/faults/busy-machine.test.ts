import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadCases } from '../cases.ts'
import { browsers } from '../prove.ts'

// Continuous integration shares its machines: a conforming implementation is accused on none of them.

const busyProcesses = 16
/** They end by themselves, should the test not end them. */
const spin = 'const end = Date.now() + 600_000; while (Date.now() < end);'

let spinning: ChildProcess[] = []
beforeAll(() => {
  spinning = Array.from({ length: busyProcesses }, () =>
    spawn(process.execPath, ['-e', spin], { stdio: 'ignore' }),
  )
})
afterAll(async () => {
  for (const child of spinning) child.kill('SIGKILL')
  await browsers[Symbol.asyncDispose]()
})

const cases = (await loadCases(() => true, { isSlice: true })).filter(({ kind }) => kind === 'conforming')
const parts = ['mint', 'backend', 'signaling', 'client', 'bundle'] as const

test.each(parts)(
  'a conforming variant of the %s is not accused while 16 processes are busy',
  { timeout: 400_000 },
  async (part) => {
    const [first] = cases.filter(({ name }) => name.startsWith(`${part}/`))
    const cells = (await first?.prove()) ?? []
    expect(spinning.filter(({ exitCode }) => exitCode !== null)).toEqual([])
    expect(cells.length).toBeGreaterThan(0)
    const accused = cells.filter(({ result }) => result.verdict === 'fail')
    expect(
      accused.map(({ result }) => [result.id, ...result.findings.map(({ message }) => message)]),
    ).toEqual([])
  },
)
