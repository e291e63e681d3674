import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { conforming as conformingBackends } from '../../../fixtures/variants/backend.ts'
import { conforming as conformingMints } from '../../../fixtures/variants/mint.ts'
import type { Variant } from '../../requirement/define.ts'
import { runVerify, type VerifyRun } from '../testing/run-verify.ts'

const json = { 'content-type': 'application/json' }

async function verifiedVariant(role: 'mint' | 'backend', variant: Variant): Promise<VerifyRun> {
  await using reference = await startReference({ variant })
  return await runVerify({ role }, reference.written)
}

test('the mint of the reference meets every interaction', async () => {
  const { exitCode, verdicts, stdout, junit, results } = await verifiedVariant('mint', {})
  expect(Object.entries(verdicts)).toEqual([1, 2, 3, 4, 5, 6, 7].map((one) => [`PACT-MINT-0${one}`, 'pass']))
  expect(exitCode).toBe(0)
  expect(stdout).toContain('reference is conformant')
  expect(junit).toContain('<testcase classname="twotoken.mint" name="PACT-MINT-04 a calling token')
  expect(results?.checks[3]?.observations).toMatchObject({ requirements: ['MINT-15'] })
})

test.each(['POST', 'GET'] as const)('its backend meets every interaction by %s', async (method) => {
  const { exitCode, verdicts } = await verifiedVariant('backend', { configuration: { backend: { method } } })
  expect(verdicts).toEqual({
    'PACT-BACK-01': method === 'POST' ? 'pass' : 'not-applicable',
    'PACT-BACK-02': method === 'GET' ? 'pass' : 'not-applicable',
    'PACT-BACK-03': 'pass',
    'PACT-BACK-04': 'pass',
    'PACT-BACK-05': 'pass',
  })
  expect(exitCode).toBe(0)
})

test.concurrent.each([
  ...Object.entries(conformingMints).map(([name, { variant }]) => ['mint', name, variant] as const),
  ...Object.entries(conformingBackends).map(([name, { variant }]) => ['backend', name, variant] as const),
])('a conforming %s is not accused: %s', async (role, _, variant) => {
  const { exitCode, verdicts, sentence } = await verifiedVariant(role, variant)
  expect(sentence).toBe('')
  expect(Object.values(verdicts)).not.toContain('fail')
  expect(Object.values(verdicts)).not.toContain('error')
  expect([0, 3]).toContain(exitCode)
})

const answer = (status: number, value: unknown) => ({ status, headers: json, body: JSON.stringify(value) })
const page = (status: number) => ({ status, headers: { 'content-type': 'text/html' }, body: '<p>Sorry</p>' })

/** A backend whose refusal holds a token that it has given to a user. */
function refusingWithToken(): Variant {
  let token: unknown
  return {
    backend: {
      success(usual, minted) {
        token = minted.token
        return usual
      },
      refuseSession: () => answer(401, { error: 'no', token }),
    },
  }
}

test.each<['mint' | 'backend', string, Variant, Record<string, string>]>([
  [
    'mint',
    'a wrong field',
    { mint: { success: () => answer(200, { id: 'ok' }) } },
    { 'PACT-MINT-01': 'fail' },
  ],
  [
    'mint',
    'a number as its token',
    { mint: { success: () => answer(200, { token: 42 }) } },
    { 'PACT-MINT-02': 'fail' },
  ],
  [
    'mint',
    'a string that only looks like a JWT',
    { mint: { success: () => answer(200, { token: 'eyAbCdEfGh.eyAbCdEfGh.AbCdEfGh' }) } },
    { 'PACT-MINT-01': 'fail', 'PACT-MINT-02': 'fail', 'PACT-MINT-03': 'pass' },
  ],
  [
    'mint',
    '200 on failure',
    { mint: { refuse: ({ code }) => answer(200, { error: code }) } },
    { 'PACT-MINT-03': 'fail', 'PACT-MINT-04': 'fail', 'PACT-MINT-07': 'fail' },
  ],
  [
    'mint',
    'tokens after the trial',
    { mint: { admit: () => {} } },
    { 'PACT-MINT-04': 'fail', 'PACT-MINT-05': 'fail', 'PACT-MINT-06': 'fail' },
  ],
  ['mint', 'tokens for no user', { mint: { userId: String } }, { 'PACT-MINT-07': 'fail' }],
  [
    'mint',
    'the wrong status of a refusal',
    { mint: { refuse: ({ code }) => answer(500, { error: code }) } },
    { 'PACT-MINT-03': 'warn', 'PACT-MINT-06': 'warn', 'PACT-MINT-07': 'info' },
  ],
  [
    'mint',
    'a token in a refusal',
    {
      mint: {
        refuse: async ({ status }, _, tools) => answer(status, { token: await tools.issueFreely('user-1') }),
      },
    },
    { 'PACT-MINT-01': 'pass', 'PACT-MINT-03': 'fail', 'PACT-MINT-04': 'fail' },
  ],
  [
    'backend',
    'a wrong field',
    { backend: { success: (_, { token }) => answer(200, { jwt: token }) } },
    { 'PACT-BACK-01': 'fail' },
  ],
  [
    'backend',
    '200 without a session',
    { backend: { refuseSession: () => answer(200, { error: 'no' }) } },
    { 'PACT-BACK-03': 'fail', 'PACT-BACK-04': 'fail' },
  ],
  [
    'backend',
    '200 when the mint fails',
    { backend: { mintFailed: () => answer(200, { token: null }) } },
    { 'PACT-BACK-05': 'fail' },
  ],
  [
    'backend',
    'tokens for expired sessions',
    { backend: { isLive: () => true } },
    { 'PACT-BACK-03': 'pass', 'PACT-BACK-04': 'fail' },
  ],
  [
    'backend',
    'HTML errors',
    { backend: { refuseSession: () => page(401), mintFailed: () => page(502) } },
    { 'PACT-BACK-03': 'warn', 'PACT-BACK-05': 'warn' },
  ],
  [
    'backend',
    'a token in a refusal',
    refusingWithToken(),
    { 'PACT-BACK-01': 'pass', 'PACT-BACK-03': 'fail', 'PACT-BACK-04': 'fail' },
  ],
])('a %s with %s is judged', async (role, _, variant, expected) => {
  const { exitCode, verdicts } = await verifiedVariant(role, variant)
  expect(verdicts).toMatchObject(expected)
  expect(exitCode).toBe(Object.values(expected).includes('fail') ? 1 : 0)
})

test('a warning alone is exit 1 only with --strict', async () => {
  await using reference = await startReference({ variant: { backend: { mintFailed: () => page(502) } } })
  expect(await runVerify({ role: 'backend', strict: true }, reference.written)).toMatchObject({ exitCode: 1 })
})
