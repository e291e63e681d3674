import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runVerify, type VerifyRun } from '../testing/run-verify.ts'

interface PythonProvider extends AsyncDisposable {
  readonly mint: string
  readonly backend: string
  readonly states: string
  readonly keys: Readonly<Record<'active' | 'trialEnded' | 'suspended' | 'capped', string>>
}

async function startPython(fault: string): Promise<PythonProvider> {
  const file = join(import.meta.dirname, '../../../fixtures/python/provider.py')
  const child = spawn('python3', ['-B', file, fault], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(child.stdout, 'data'), exited])
  return {
    ...JSON.parse(String(line)),
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
    },
  }
}

/** No configuration at all: an address, keys as flags, states through the provider's own endpoint. */
async function verifiedPython(fault: string): Promise<{ mint: VerifyRun; backend: VerifyRun }> {
  await using python = await startPython(fault)
  const { active, ...keys } = python.keys
  return {
    mint: await runVerify({ role: 'mint', url: python.mint, credentials: { apiKey: active, ...keys } }),
    backend: await runVerify({ role: 'backend', url: python.backend, stateUrl: python.states }),
  }
}

describe('a provider in Python', () => {
  test('meets every interaction', async () => {
    const { mint, backend } = await verifiedPython('none')
    expect(mint).toMatchObject({ exitCode: 0, verdicts: { 'PACT-MINT-01': 'pass', 'PACT-MINT-06': 'pass' } })
    expect(mint.results?.summary).toMatchObject({ pass: 7 })
    expect(backend).toMatchObject({ exitCode: 0 })
    expect(backend.results?.summary).toMatchObject({ pass: 4, 'not-applicable': 1 })
  })

  test.each([
    ['number', 'PACT-BACK-01'],
    ['html', 'PACT-BACK-01'],
    ['leak', 'PACT-BACK-01'],
  ])('with the fault %s is caught', async (fault, id) => {
    const { backend } = await verifiedPython(fault)
    expect(backend).toMatchObject({ exitCode: 1, verdicts: { [id]: 'fail' } })
  })

  test('is caught when it mints for any key', async () => {
    const { mint } = await verifiedPython('open')
    expect(mint).toMatchObject({ exitCode: 1, verdicts: { 'PACT-MINT-03': 'fail' } })
  })
})
