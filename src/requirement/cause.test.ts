import { expect, test } from 'vitest'
import { createJournal, type Party } from '../base/evidence/exchange.ts'
import {
  type Unavailability,
  unavailableByCloseCode,
  unavailableByStatus,
} from '../base/evidence/transport-fault.ts'
import { unavailableByEvent } from '../roles/signaling/event-log.ts'
import { causeOf, overloadedParty } from './cause.ts'
import { createJudge } from './judge.ts'
import { recordHttp } from './testing/record-http.ts'

const journal = createJournal()
const record = (to: Party, status: number) =>
  recordHttp(journal, {
    to,
    response: { status, statusText: '', headers: [], body: '' },
    unavailable: unavailableByStatus(status),
  })

function lostOver(...evidence: string[]) {
  const judge = createJudge('MUST')
  judge.lost('control failed', evidence)
  return judge.conclude()
}

test('names the part that was down in the last exchange that shows one', () => {
  const exchanges = [record('mint', 200), record('backend', 503), record('mint', 200)]
  expect(causeOf(lostOver(...exchanges), journal)).toEqual({ part: 'backend', unavailable: 'failing' })
})

test.each<[number, Party, boolean]>([
  [401, 'mint', true],
  [402, 'mint', true],
  [403, 'backend', true],
  [404, 'backend', false],
  [401, 'mint-double', false],
])('a control that was answered %i by the %s', (status, to, isCause) => {
  const cause = isCause ? { part: to, unavailable: 'rejecting' } : undefined
  expect(causeOf(lostOver(record('mint', 200), record(to, status)), journal)).toEqual(cause)
})

test('a rejected attack before the control is none, and an outage beside it comes first', () => {
  expect(causeOf(lostOver(record('mint', 401), record('mint', 200)), journal)).toBeUndefined()
  const down = { part: 'signaling', unavailable: 'failing' }
  expect(causeOf(lostOver(record('signaling', 503), record('mint', 401)), journal)).toEqual(down)
})

test.each<[string, Party, number]>([
  ['an answer', 'backend', 404],
  ['a double', 'mint-double', 503],
])('an error over %s has no such cause', (_, to, status) => {
  expect(causeOf(lostOver(record(to, status)), journal)).toBeUndefined()
})

test('a violation and a defect of the suite have none', () => {
  const evidence = [record('backend', 503)]
  const violated = createJudge('MUST')
  violated.must(false, { saw: 'a', expected: 'b', fix: 'C.', evidence })
  expect(causeOf(violated.conclude(), journal)).toBeUndefined()
  expect(causeOf({ ...lostOver(...evidence), defect: true }, journal)).toBeUndefined()
})

test.each([
  [{ type: 'timeout', text: 'did not answer' }, 'silent'],
  [{ type: 'error', text: 'refused the connection', unavailable: 'refusing' }, 'refusing'],
  [{ type: 'error', text: 'sent an invalid frame' }, undefined],
  [{ type: 'http', code: 429, text: '429' }, 'limited'],
  [{ type: 'close', code: 4429, text: '' }, 'limited'],
  [{ type: 'http', code: 401, text: '401' }, undefined],
  [{ type: 'close', code: 1006, text: '' }, 'broken off'],
  [{ type: 'close', code: 1013, text: '' }, 'failing'],
  [{ type: 'close', code: 4401, text: '' }, undefined],
] as const)('reads the last event of a connection: %o', (event, unavailable) => {
  expect(unavailableByEvent(event)).toBe(unavailable)
  expect(unavailableByCloseCode(1000)).toBeUndefined()
})

test.each<[string, Party, Unavailability, string | undefined]>([
  ['a part', 'signaling', 'silent', 'signaling'],
  ['a key set', 'jwks', 'silent', 'jwks'],
  ['a double', 'mint-double', 'silent', undefined],
  ['a gateway', 'backend', 'failing', 'backend'],
  ['a part that refuses connections', 'backend', 'refusing', undefined],
])('finds the overload of %s', (_, to, unavailable, party) => {
  expect(overloadedParty(lostOver(recordHttp(journal, { to, unavailable })), journal)).toBe(party)
})
