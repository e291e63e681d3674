import { describe, expect, test } from 'vitest'
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

describe('the reference over the wire', () => {
  test('its mint meets every interaction', async () => {
    const { exitCode, verdicts, stdout, junit, results } = await verifiedVariant('mint', {})
    expect(verdicts).toEqual({
      'PACT-MINT-01': 'pass',
      'PACT-MINT-02': 'pass',
      'PACT-MINT-03': 'pass',
      'PACT-MINT-04': 'pass',
      'PACT-MINT-05': 'pass',
      'PACT-MINT-06': 'pass',
      'PACT-MINT-07': 'pass',
    })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('reference is conformant')
    expect(junit).toContain('<testcase classname="twotoken.mint" name="PACT-MINT-04 a calling token')
    expect(results?.checks[3]?.observations).toMatchObject({ requirements: ['MINT-15'] })
  })

  test.each(['POST', 'GET'] as const)('its backend meets every interaction by %s', async (method) => {
    const { exitCode, verdicts } = await verifiedVariant('backend', {
      configuration: { backend: { method } },
    })
    expect(verdicts).toEqual({
      'PACT-BACK-01': method === 'POST' ? 'pass' : 'not-applicable',
      'PACT-BACK-02': method === 'GET' ? 'pass' : 'not-applicable',
      'PACT-BACK-03': 'pass',
      'PACT-BACK-04': 'pass',
      'PACT-BACK-05': 'pass',
    })
    expect(exitCode).toBe(0)
  })
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

describe('broken mints are caught', () => {
  test.each<[string, Variant, Record<string, string>]>([
    ['wrong field', { mint: { success: () => answer(200, { id: 'ok' }) } }, { 'PACT-MINT-01': 'fail' }],
    ['token as number', { mint: { success: () => answer(200, { token: 42 }) } }, { 'PACT-MINT-02': 'fail' }],
    [
      '200 on failure',
      { mint: { refuse: ({ code }) => answer(200, { error: code }) } },
      { 'PACT-MINT-03': 'fail', 'PACT-MINT-04': 'fail', 'PACT-MINT-07': 'fail' },
    ],
    [
      'mints after the trial',
      { mint: { admit: () => {} } },
      { 'PACT-MINT-04': 'fail', 'PACT-MINT-05': 'fail', 'PACT-MINT-06': 'fail' },
    ],
    ['mints for no user', { mint: { userId: String } }, { 'PACT-MINT-07': 'fail' }],
    [
      'wrong status of a refusal',
      { mint: { refuse: ({ code }) => answer(500, { error: code }) } },
      { 'PACT-MINT-03': 'warn', 'PACT-MINT-06': 'warn', 'PACT-MINT-07': 'info' },
    ],
  ])('%s', async (_, variant, expected) => {
    const { exitCode, verdicts } = await verifiedVariant('mint', variant)
    expect(verdicts).toMatchObject(expected)
    expect(exitCode).toBe(Object.values(expected).includes('fail') ? 1 : 0)
  })
})

const looksLikeJwt = 'eyAbCdEfGh.eyAbCdEfGh.AbCdEfGh'

describe('faults that no matcher of a pact sees are caught', () => {
  test('a string that only looks like a JWT', async () => {
    const { exitCode, verdicts } = await verifiedVariant('mint', {
      mint: { success: () => answer(200, { token: looksLikeJwt }) },
    })
    expect(verdicts).toMatchObject({ 'PACT-MINT-01': 'fail', 'PACT-MINT-02': 'fail', 'PACT-MINT-03': 'pass' })
    expect(exitCode).toBe(1)
  })

  test('a mint whose refusal holds a token', async () => {
    const { exitCode, verdicts } = await verifiedVariant('mint', {
      mint: {
        refuse: async ({ status }, _, tools) => answer(status, { token: await tools.issueFreely('user-1') }),
      },
    })
    expect(verdicts).toMatchObject({ 'PACT-MINT-01': 'pass', 'PACT-MINT-03': 'fail', 'PACT-MINT-04': 'fail' })
    expect(exitCode).toBe(1)
  })

  test('a backend whose refusal holds a token', async () => {
    let token: unknown
    const { exitCode, verdicts } = await verifiedVariant('backend', {
      backend: {
        success(usual, minted) {
          token = minted.token
          return usual
        },
        refuseSession: () => answer(401, { error: 'no', token }),
      },
    })
    expect(verdicts).toMatchObject({ 'PACT-BACK-01': 'pass', 'PACT-BACK-03': 'fail', 'PACT-BACK-04': 'fail' })
    expect(exitCode).toBe(1)
  })
})

describe('broken backends are caught', () => {
  test.each<[string, Variant, Record<string, string>]>([
    [
      'wrong field',
      { backend: { success: (_, { token }) => answer(200, { jwt: token }) } },
      { 'PACT-BACK-01': 'fail' },
    ],
    [
      '200 without a session',
      { backend: { refuseSession: () => answer(200, { error: 'no' }) } },
      { 'PACT-BACK-03': 'fail', 'PACT-BACK-04': 'fail' },
    ],
    [
      '200 when the mint fails',
      { backend: { mintFailed: () => answer(200, { token: null }) } },
      { 'PACT-BACK-05': 'fail' },
    ],
    [
      'accepts expired sessions',
      { backend: { isLive: () => true } },
      { 'PACT-BACK-03': 'pass', 'PACT-BACK-04': 'fail' },
    ],
    [
      'HTML errors',
      { backend: { refuseSession: () => page(401), mintFailed: () => page(502) } },
      { 'PACT-BACK-03': 'warn', 'PACT-BACK-05': 'warn' },
    ],
  ])('%s', async (_, variant, expected) => {
    const { exitCode, verdicts } = await verifiedVariant('backend', variant)
    expect(verdicts).toMatchObject(expected)
    expect(exitCode).toBe(Object.values(expected).includes('fail') ? 1 : 0)
  })

  test('a warning alone is exit 1 only with --strict', async () => {
    await using reference = await startReference({ variant: { backend: { mintFailed: () => page(502) } } })
    expect(await runVerify({ role: 'backend', strict: true }, reference.written)).toMatchObject({
      exitCode: 1,
    })
  })
})
