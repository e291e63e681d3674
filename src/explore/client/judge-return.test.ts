import { expect, test } from 'vitest'
import { judgeAbsence, type ReturnContext } from './judge-return.ts'

/** A client that was rejected once, and has not come back. */
function rejectedClient({ isSeen }: { readonly isSeen: boolean }): ReturnContext {
  const attempt = { credential: 'a.b.c', outcome: 'refused', exchange: 'x1', closedAt: 1 }
  const context = {
    app: {
      backend: { calls: () => [] },
      signaling: { attempts: () => [attempt] },
      state: async () => null,
    },
    model: { since: { attempts: 0, failedCalls: 0 }, wasWelcome: false, wants: 'connection' },
    surroundings: { failedCalls: () => [], isRejected: () => true, isRejectedUnseen: () => !isSeen },
    seconds: 60,
  }
  return context as unknown as ReturnContext
}

test('a client that has seen that its token was rejected must come back with another', async () => {
  expect(await judgeAbsence(rejectedClient({ isSeen: true }))).toMatchObject([
    { invariant: 'EXP-37', evidence: ['x1'] },
  ])
})

test('one that cannot see why its handshake failed may go on with a token that stays rejected', async () => {
  expect(await judgeAbsence(rejectedClient({ isSeen: false }))).toEqual([])
})
