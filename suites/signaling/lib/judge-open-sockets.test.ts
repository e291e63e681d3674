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
  let offers = 0
  let users = 0
  let isNamedRejected = false
  let hasClosed = false
  const see = (when: Service['closeSeen']) => {
    hasClosed ||= isNamedRejected && closeSeen === when
  }
  const socket = (isNamed: boolean) => ({
    get events() {
      return isNamed && hasClosed ? [{ type: 'close' }] : []
    },
    evidence: () => 'x1',
    async sendFrames() {
      const sent = isNamed ? pings[isNamedRejected ? 1 : 0] : 'read'
      if (isNamed) see('with the ping')
      return sent
    },
    async [Symbol.asyncDispose]() {
      // Each round begins anew.
      isNamedRejected = false
      hasClosed = false
    },
  })
  const rejectOther = async () => {
    offers += 1
    see('with a later answer')
    return {
      outcome: 'refused',
      undecided: undecided.includes(offers),
      exchange: 'x2',
      summary: 'was silent',
    }
  }
  const rejectLike = async () => {
    const made = await rejectOther()
    isNamedRejected = true
    return made
  }
  const parts = {
    callingTokens: { fresh: async () => ({ jwt: 'a.b.c', userId: `u-${users++}` }) },
    // The first of the two users of a round is the one who is named.
    signaling: {
      hold: async ({ declaredUser }: { readonly declaredUser: string }) => ({
        outcome: 'accepted',
        socket: socket(declaredUser === `u-${users - 2}`),
      }),
    },
  }
  const judging = createJudge('ADVISORY')
  await judgeOpenSockets(parts as never, { rejectOther, rejectLike } as never, judging)
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
