import { expect, test } from 'vitest'
import type { Halt } from '../base/inconclusive.ts'
import type { CheckResult } from '../requirement/run.ts'
import { waitForCause, waitingFor } from './wait-for-cause.ts'

const exchanges = [
  { id: 'x1', to: 'mint' },
  { id: 'x2', to: 'backend' },
] as const

type Facts = Partial<Pick<CheckResult, 'cause' | 'defect' | 'findings'>>

function result(id: string, verdict: CheckResult['verdict'], facts: Facts = {}): CheckResult {
  const said = { level: 'MUST', verdict, message: `${verdict} of ${id}`, evidence: ['x2'] } as const
  return {
    id,
    title: 'does something',
    role: 'backend',
    level: 'MUST',
    clauses: [],
    verdict,
    durationMs: 1,
    reason: null,
    findings: [said],
    observations: {},
    ...facts,
  }
}

const failing = { cause: { part: 'backend', unavailable: 'failing' } } as const
const refusing = { cause: { part: 'backend', unavailable: 'refusing' } } as const
const signaling = { cause: { part: 'signaling', unavailable: 'rejecting' } } as const
const verdictsOf = (checks: readonly CheckResult[]) =>
  Object.fromEntries(waitForCause(checks, exchanges).map(({ id, verdict }) => [id, verdict]))

test('errors of a part wait for the requirement that says why it serves nothing, by its cause or by the control', () => {
  const checks = waitForCause(
    [result('BACK-01', 'error', failing), result('BACK-02', 'error'), result('BACK-06', 'fail')],
    exchanges,
  )
  const waiting = { verdict: 'untested', reason: expect.stringMatching(/^waits for BACK-06: the backend /) }
  expect(checks).toMatchObject([waiting, waiting, { verdict: 'fail' }])
  expect(checks[0]).toMatchObject({ findings: [], cause: undefined })
  expect(waitingFor('BACK-06', checks)).toEqual(['BACK-01', 'BACK-02'])
})

test('a backend that has no token of its mint waits for the requirement on the mint', () => {
  const checks = [result('MINT-01', 'fail'), result('MINT-02', 'error'), result('BACK-01', 'error', failing)]
  expect(waitingFor('MINT-01', waitForCause(checks, exchanges))).toEqual(['MINT-02', 'BACK-01'])
})

test('a warning that was found before stays', () => {
  const warning = { level: 'SHOULD', verdict: 'warn', message: 'slow', evidence: [] } as const
  const [first] = waitForCause(
    [result('BACK-02', 'error', { ...failing, findings: [warning] }), result('BACK-06', 'fail')],
    exchanges,
  )
  expect(first).toMatchObject({ verdict: 'untested', findings: [warning] })
})

test.each<[string, CheckResult[]]>([
  ['has served', [result('BACK-06', 'fail'), result('BACK-01', 'pass'), result('BACK-02', 'error', failing)]],
  ['is violated nowhere', [result('BACK-01', 'error', failing), result('BACK-02', 'error', failing)]],
  ['was stopped', [result('BACK-06', 'fail'), result('BACK-02', 'error', refusing)]],
  ['is another one', [result('BACK-06', 'fail'), result('SIG-03', 'error', signaling)]],
  [
    'went down by its own failures',
    [result('BACK-06', 'fail'), result('BACK-22', 'fail'), result('BACK-02', 'error', failing)],
  ],
  ['was not met', [result('BACK-06', 'fail'), result('BACK-02', 'error', { findings: [] })]],
  ['is not the cause', [result('BACK-06', 'fail'), result('BACK-02', 'error', { defect: true })]],
])('an error stays one where the part %s', (_, checks) => {
  expect(verdictsOf(checks)).toEqual(Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict])))
})

const absent = 'made no connection'
const silent = 'asked for no token'
const mixing = 'offered its session'
const crashed = undefined

const ofClient = (id: string, halt: Halt | undefined): CheckResult => ({
  ...result(id, 'error', { findings: [] }),
  role: 'client',
  reason: 'control failed',
  halt,
})
/** It serves this alone, and is no part of the results. */
const withoutHalt = ({ halt: _, ...check }: CheckResult) => check
const waiting = (id: string, checks: readonly CheckResult[]) =>
  waitingFor(id, waitForCause(checks, exchanges))

test('a client that dials another address, joins with its session, or mints by itself, is one violation for which the others wait', () => {
  const errors = [
    ofClient('CLI-06', absent),
    ofClient('CLI-07', mixing),
    ofClient('CLI-08', crashed),
    ofClient('CLI-09', silent),
  ]
  expect(waiting('CLI-22', [...errors, result('CLI-22', 'fail')])).toEqual(['CLI-06'])
  expect(waiting('CLI-02', [...errors, result('CLI-02', 'fail')])).toEqual(['CLI-07'])
  expect(waiting('CLI-03', [...errors, result('CLI-03', 'fail')])).toEqual(['CLI-09'])
  expect(waitForCause([...errors, result('CLI-22', 'pass')], exchanges).slice(0, 4)).toEqual(
    errors.map(withoutHalt),
  )
})

test('a client that stops at the same place in every requirement is one error, for which the others wait', () => {
  const errors = [ofClient('CLI-07', absent), ofClient('CLI-05', absent), ofClient('CLI-06', crashed)]
  expect(waiting('CLI-05', errors)).toEqual(['CLI-07'])
  expect(waitForCause(errors, exchanges)[1]).toEqual(errors.map(withoutHalt)[1])
  expect(waiting('CLI-05', [...errors, result('CLI-08', 'pass')])).toEqual([])
})
