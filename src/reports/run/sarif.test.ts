import { expect, test } from 'vitest'
import { addressOfClause, addressOfRequirement } from '../addresses.ts'
import { frozenRun } from '../testing/frozen-run.ts'
import { renderSarif } from './sarif.ts'

const log = JSON.parse(renderSarif(frozenRun))
const [run] = log.runs
interface Result {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: string
  readonly message: { readonly text: string }
  readonly partialFingerprints: Readonly<Record<string, string>>
  readonly suppressions?: readonly { readonly kind: string; readonly justification: string }[]
}
const results: Result[] = run.results
const of = (id: string) => results.filter(({ ruleId }) => ruleId === id)

test('every requirement is a rule, and every result is of one', () => {
  const ids = run.tool.driver.rules.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(frozenRun.checks.map(({ id }) => id))
  for (const { ruleId, ruleIndex } of results) expect(ids[ruleIndex]).toBe(ruleId)
})

test('a rule leads to its clause and its page, and one that guards secrets is ranked', () => {
  const rule = (id: string) => run.tool.driver.rules.find((one: { id: string }) => one.id === id)
  expect(rule('BACK-08')).toMatchObject({
    helpUri: addressOfClause(frozenRun.checks.find(({ id }) => id === 'BACK-08')?.clauses[0] ?? ''),
    help: { text: expect.stringContaining(` ${addressOfRequirement('BACK-08')} .`) },
    properties: { 'security-severity': '8.0', tags: expect.arrayContaining(['security']) },
  })
  expect(rule('SIG-08').properties).not.toHaveProperty('security-severity')
})

test('a violation is an error, what only warns is a warning', () => {
  expect(of('MINT-04').map(({ level, message }) => [level, message.text])).toEqual([
    ['error', expect.stringContaining('saw a token issued (200)')],
    ['warning', 'saw 200; expected 401'],
  ])
  expect(of('BACK-14').map(({ level }) => level)).toEqual(['warning'])
})

test('only what is broken is a result; what could not be judged is a notification', () => {
  const broken = new Set(results.map(({ ruleId }) => ruleId))
  expect([...broken]).toEqual(['MINT-04', 'BACK-08', 'BACK-14', 'SIG-08'])
  const notified = run.invocations[0].toolExecutionNotifications.map(
    ({ associatedRule, level }: { associatedRule: { id: string }; level: string }) =>
      `${associatedRule.id} ${level}`,
  )
  expect(notified).toEqual(['MINT-16 warning', 'BACK-01 error', 'SIG-22 warning', 'SIG-25 warning'])
})

test('a waived failure is suppressed, with the reason', () => {
  expect(of('SIG-08')[0]?.suppressions).toEqual([
    { kind: 'external', justification: 'waived until 2027-03-31: close code lands in March' },
  ])
  expect(of('MINT-04')[0]).not.toHaveProperty('suppressions')
})

test('each result points at a file with a line, as code hosts require', () => {
  for (const result of run.results)
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'my%20config.yaml' },
      region: { startLine: 1 },
    })
})

test('the same violation has the same fingerprint in every run, and no other has it', () => {
  const printsOf = (some: Result[]) => some.map((one) => JSON.stringify(one.partialFingerprints))
  const prints = printsOf(results)
  expect(new Set(prints).size).toBe(prints.length)
  const later = JSON.parse(renderSarif({ ...frozenRun, seed: 2, startedAt: '2026-11-22T09:00:00.000Z' }))
  expect(printsOf(later.runs[0].results)).toEqual(prints)
})
