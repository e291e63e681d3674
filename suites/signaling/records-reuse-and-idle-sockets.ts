import { defineCheck } from '../../src/requirement/define.ts'
import { courseOf } from './lib/open-socket.ts'

/** Longer than most services wait, shorter than a run. */
const idleMs = 5000

export default defineCheck({
  id: 'SIG-10',
  level: 'INFO',
  kind: 'positive',
  clauses: [],
  title: 'records token reuse, second-device and idle-socket behaviour',
  why: 'The specification does not say whether two sockets may share a token, or how long an unauthenticated socket may stay open.',
  how: {
    does: [
      'Joins twice with the same token while the first socket is open, joins with a second token of the same user, and opens a socket that sends no credential.',
      'Records the outcomes.',
    ],
  },
  mints: 2,
  needs: ['mint', 'signaling'],
  async run({ mint, signaling, newUser, clock }, judge) {
    const userId = newUser()
    const token = await mint.token(userId)
    const first = await signaling.hold({ token: token.jwt, declaredUser: userId })
    await using _ = first.outcome === 'accepted' ? first.socket : null
    const twice = await signaling.decide({ token: token.jwt, declaredUser: userId })
    judge.observe('signaling.sameTokenTwice', twice.outcome)
    const device = await mint.token(userId)
    const second = await signaling.decide({ token: device.jwt, declaredUser: userId })
    judge.observe('signaling.secondDevice', second.outcome)
    judge.observe(
      'signaling.firstSocketAfterSecond',
      first.outcome === 'accepted' ? courseOf(first.socket) : 'kept',
    )

    const startedAt = clock.monotonic()
    const idle = await signaling.attempt({ token: null, silent: true, deadlineMs: idleMs })
    const seconds = Math.round((clock.monotonic() - startedAt) / 100) / 10
    judge.observe('signaling.idleStranger', { after: `${seconds} s`, signaling: idle.summary })
  },
})
