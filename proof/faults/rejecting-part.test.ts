import { expect, test } from 'vitest'
import { jsonAnswer } from '../../fixtures/answer.ts'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { findOutages } from '../../src/reports/group-errors.ts'
import { waitForCause, waitingFor } from '../../src/reports/wait-for-cause.ts'
import type { Role, Variant } from '../../src/requirement/define.ts'
import { runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import expiredTokens from '../../suites/backend/never-returns-expired-tokens.ts'
import { broken as misspecified } from '../../suites/backend/sends-specified-mint-request.broken.ts'
import connectsEndToEnd from '../../suites/flow/connects-end-to-end.ts'
import separatesUsers from '../../suites/flow/separates-concurrent-users.ts'
import { judge, judgeTogether, partsOf } from '../variants/testing/prove.ts'

// A part that rejects everyone after it has served is one cause, for which nothing is accused.

const catalogue = await loadCatalogue()

/** True from the call after so many on. */
function after(served: number): () => boolean {
  let calls = 0
  return () => {
    calls += 1
    return calls > served
  }
}

const [mintEnds, backendEnds, dialsEnd] = [after(12), after(8), after(8)]

test.concurrent.each<[string, Variant, RegExp]>([
  [
    'mint',
    { mint: { answer: (usual) => (mintEnds() ? jsonAnswer(401, { error: 'revoked' }) : usual) } },
    /^MINT-(?:0[2-9]|1[0-3])$/,
  ],
  [
    'backend',
    { backend: { answer: (usual) => (backendEnds() ? jsonAnswer(401, { error: 'signed out' }) : usual) } },
    /^BACK-(?:0[1-6]|1[0-4])$/,
  ],
  ['signaling', { signaling: { handshake: () => (dialsEnd() ? 403 : 'upgrade') } }, /^SIG-0[2-9]$/],
])('%s', async (part, variant, wanted) => {
  const checks = catalogue.filter(({ id, stage }) => wanted.test(id) && stage !== 'expiry')
  // A rejection that stays is waited out no longer than this.
  const configuration = { limits: { patienceSeconds: 2 } }
  const results = await judgeTogether(checks, { ...variant, configuration })
  const said = results.map(({ id, verdict, reason }) => `${id} ${verdict} ${reason}`)
  expect(said.filter((one) => / (?:fail|warn) /.test(one))).toEqual([])
  const lost = results.filter(({ verdict }) => verdict === 'error')
  expect(lost.length, said.join('\n')).toBeGreaterThan(2)
  expect(
    findOutages(results).map(({ requirements }) => requirements),
    said.join('\n'),
  ).toEqual([lost.map(({ id }) => id)])
  expect(new Set(lost.map(({ cause }) => `${cause?.part} ${cause?.unavailable}`))).toEqual(
    new Set([`${part} rejecting`]),
  )
})

const refusal = jsonAnswer(422, { error: 'no' })

test.concurrent.each<[string, Role[], Variant]>([
  ['BACK-06', ['backend', 'flow'], misspecified['calls the field user_id'] ?? {}],
  ['MINT-01', ['mint'], { mint: { answer: (usual) => (usual.status === 200 ? refusal : usual) } }],
  ['SIG-02', ['signaling'], { signaling: { handshake: () => 403 } }],
])('%s keeps all users from being served, and the others wait for it', async (id, roles, variant) => {
  await using reference = await startReference({ variant })
  await using session = await openSession(reference.configuration, { wait: false })
  const checks = sortByTurn(catalogue.filter(({ role }) => roles.includes(role)))
  const results = await Promise.all(checks.map((check) => runCheck(check, session)))
  const named = waitForCause(results, session.journal.drain())
  const said = named.map((one) => `${one.id} ${one.verdict} ${one.reason}`)
  expect(said.filter((one) => / (?:fail|error) /.test(one))).toEqual([`${id} fail null`])
  expect(waitingFor(id, named).length, said.join('\n')).toBeGreaterThan(15)
})

test('FLOW-05 accuses no backend where signaling rejects every user', async () => {
  expect(await judge(separatesUsers, { signaling: { handshake: () => 403 } })).toMatchObject({
    verdict: 'error',
    cause: { part: 'signaling', unavailable: 'rejecting' },
  })
})

test.concurrent.each([
  { check: connectsEndToEnd, served: 2 },
  { check: expiredTokens, served: 5 },
])('$check.id accuses no backend whose sessions end during the run', async ({ check, served }) => {
  const isEnded = after(served)
  await using reference = await startReference({ variant: { backend: { isLive: () => !isEnded() } } })
  await using session = await openSession(reference.configuration)
  const { backend, bob } = partsOf(session, ['backend', 'bob'])
  await backend.token(backend.alice)
  await backend.token(bob)
  expect(await runCheck(check, session)).toMatchObject({
    verdict: 'error',
    cause: { part: 'backend', unavailable: 'rejecting' },
  })
})
