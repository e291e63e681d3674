import { expect, test } from 'vitest'
import { createJudge } from '../../../src/requirement/judge.ts'
import type { SentFrames } from '../../../src/roles/signaling/event-log.ts'
import { judgeOpenSockets } from './judge-open-sockets.ts'

interface Service {
  /** How a ping on the socket of the named user ends, before and after the rejection of a token that names it. */
  readonly pings?: readonly [SentFrames | null, SentFrames | null]
  /** The close is seen when the ping has ended, or when a later client was answered; never where absent. */
  readonly closeSeen?: 'with the ping' | 'with a later answer'
  /** Offers of bad tokens in this order are not decided in time. */
  readonly undecided?: readonly number[]
}

async function judge({ pings = ['read', 'read'], closeSeen, undecided = [] }: Service): Promise<string> {
  let users = 0
  let offers = 0
  let isNamedRejected = false
  const events: { type: string }[] = []
  const close = () => void (isNamedRejected && events.push({ type: 'close' }))
  const socket = (isNamed: boolean) => ({
    events: isNamed ? events : [],
    evidence: () => 'x1',
    async sendFrames() {
      const sent = isNamed ? pings[isNamedRejected ? 1 : 0] : 'read'
      if (isNamed && closeSeen === 'with the ping') close()
      return sent
    },
    async [Symbol.asyncDispose]() {},
  })
  const reject = async () => {
    offers += 1
    if (closeSeen === 'with a later answer') close()
    return {
      outcome: 'refused',
      undecided: undecided.includes(offers),
      exchange: 'x2',
      summary: 'was silent',
    }
  }
  const parts = {
    callingTokens: {
      async fresh() {
        users += 1
        // Each round has two users and begins anew.
        if (users % 2 === 1) {
          events.length = 0
          isNamedRejected = false
        }
        return { jwt: 'a.b.c', userId: `u-${users}` }
      },
    },
    signaling: {
      hold: async ({ declaredUser }: { declaredUser: string }) => ({
        outcome: 'accepted',
        socket: socket(declaredUser === `u-${users - 1}`),
      }),
    },
  }
  const rejecting = {
    rejectOther: reject,
    async rejectLike() {
      const made = await reject()
      isNamedRejected = true
      return made
    },
  }
  const judging = createJudge('ADVISORY')
  await judgeOpenSockets(parts as never, rejecting as never, judging)
  return judging.conclude().verdict
}

test.each<[string, Service, string]>([
  ['stays open', {}, 'pass'],
  [
    'has begun to close, so that nothing can be sent',
    { pings: ['read', 'ended'], closeSeen: 'with the ping' },
    'warn',
  ],
  ['belongs to an adapter and stays open', { pings: [null, null] }, 'pass'],
  ['belongs to an adapter and ends', { pings: [null, null], closeSeen: 'with a later answer' }, 'warn'],
  [
    'answers no ping, nor does a later client get an answer',
    { pings: ['read', 'unread'], undecided: [3] },
    'untested',
  ],
  ['is open while the rejection is not decided', { undecided: [2, 3] }, 'untested'],
  ['is open at a service that rejects by silence', { undecided: [1, 2, 3] }, 'pass'],
])('a socket that %s', async (_, service, verdict) => {
  expect(await judge(service)).toBe(verdict)
})
