import { defineCheck } from '../../src/requirement/define.ts'

/** Time claims have a resolution of one second: two tokens differ in them only after more than that. */
const pauseMs = 1100
const soonMs = 10_000
/** A second request that waited behind a limit, or behind other checks, is the first of the next pair. */
const pairs = 5

export default defineCheck({
  id: 'MINT-14',
  level: 'SHOULD',
  kind: 'positive',
  clauses: ['5.5'],
  title: 'issues a new token for every request',
  why: 'A cached token has used up part of its lifetime, so the app gets less time than requested, or none.',
  how: {
    does: ['Requests two tokens for the same user, 1.1 seconds apart.'],
    warns: ['The same token twice.'],
    untested: ['Requests that each came much later than the one before.'],
  },
  // Each pair that came late costs one more.
  mints: 6,
  needs: ['mint'],
  async run({ mint, newUser, clock }, judge) {
    const userId = newUser()
    let first = await mint.token(userId)
    for (let pair = 0; pair < pairs; pair += 1) {
      await clock.until(first.receivedAt + pauseMs)
      const second = await mint.token(userId)
      const isSame = first.jwt === second.jwt
      // A cache of seconds has dropped a token that is older.
      if (isSame || second.sentAt - first.receivedAt <= soonMs) {
        judge.should(!isSame, {
          saw: 'the same token for two requests, one after the other',
          expected: 'a new token for each request (5.5)',
          fix: 'Do not cache tokens in the mint.',
          evidence: [first.exchange, second.exchange],
        })
        return
      }
      first = second
    }
    judge.untested(
      `no two of ${pairs + 1} tokens could be requested within 10 s: this machine, or a limit, is slow`,
    )
  },
})
