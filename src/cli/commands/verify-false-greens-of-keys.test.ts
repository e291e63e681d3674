import { describe, expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { pactVerifier } from '../../contracts/pact-core.ts'
import type { Variant } from '../../requirement/define.ts'
import { runVerify } from '../testing/run-verify.ts'

// Each of these passes, or hangs, in a verifier that believes what its core says.

describe('an extra field that holds a key', () => {
  const encodings = {
    plain: (key: string) => key,
    base64: (key: string) => Buffer.from(key).toString('base64'),
    hex: (key: string) => Buffer.from(key).toString('hex'),
    percent: (key: string) => `%61%63${encodeURIComponent(key.slice(2))}`,
  }
  const json = { 'content-type': 'application/json' }

  test.each(Object.entries(encodings))('%s, from a backend', async (_, encoded) => {
    let key = ''
    const variant: Variant = {
      backend: {
        success: (_usual, { token }) => ({
          status: 200,
          headers: json,
          body: JSON.stringify({ token, debug: encoded(key) }),
        }),
      },
    }
    await using reference = await startReference({ variant })
    key = reference.mint.keys.active
    const { exitCode, results, stdout, junit } = await runVerify({ role: 'backend' }, reference.written)
    expect(exitCode).toBe(1)
    expect(results?.checks[0]).toMatchObject({
      clauses: ['4.2.5'],
      findings: [
        {
          message:
            'saw an API key in the body of the answer; expected an answer without any key. Leave the key out of the answer.',
        },
      ],
    })
    expect(JSON.stringify(results) + stdout + junit).not.toContain(key)
  })

  test('from a mint, which the core takes for a success', async () => {
    const variant: Variant = {
      mint: {
        answer: (usual, { headers }) =>
          usual.status === 200
            ? { ...usual, body: JSON.stringify({ ...JSON.parse(usual.body), for: headers.authorization }) }
            : usual,
      },
    }
    await using reference = await startReference({ variant })
    let core: string[] = []
    const { exitCode } = await runVerify({ role: 'mint' }, reference.written, {
      core: async (options) => {
        const results = await pactVerifier(options)
        core = results.filter(({ ok }) => !ok).map(({ description }) => description)
        return results
      },
    })
    expect(core).toEqual([])
    expect(exitCode).toBe(1)
  })

  test('in a header', async () => {
    const variant: Variant = {
      backend: {
        answer: (usual) => ({
          ...usual,
          headers: { ...usual.headers, 'x-mint-key': `ac_live_${'x1'.repeat(20)}` },
        }),
      },
    }
    await using reference = await startReference({ variant })
    expect(await runVerify({ role: 'backend' }, reference.written)).toMatchObject({ exitCode: 1 })
  })

  test('in the refusal of a mint is only advised against', async () => {
    const variant: Variant = {
      mint: {
        refuse: ({ status }, { headers }) => ({
          status,
          headers: json,
          body: JSON.stringify({ bad: headers.authorization }),
        }),
      },
    }
    await using reference = await startReference({ variant })
    const { exitCode, verdicts } = await runVerify({ role: 'mint' }, reference.written)
    expect(verdicts).toMatchObject({ 'PACT-MINT-01': 'pass', 'PACT-MINT-04': 'warn' })
    expect(exitCode).toBe(0)
  })
})
