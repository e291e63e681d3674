import { ControlLost } from '../../src/base/inconclusive.ts'
import { daySeconds } from '../../src/base/times.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf, showLifetime } from '../../src/base/tokens/token-lifetime.ts'
import { askBetweenControls } from '../../src/requirement/controls.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { describeReply, isSuccess } from '../backend/lib/describe-reply.ts'

export default defineCheck({
  id: 'MINT-09',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.2'],
  basis: 'ttlSeconds is not required (2.2).',
  title: 'issues a token when ttlSeconds is omitted',
  why: 'The field is optional: a backend that does not set a lifetime must still get a token.',
  how: {
    does: [
      'Between two controls that request 60 seconds (or the configured minimum), sends a request without ttlSeconds.',
      'Records every other lifetime.',
    ],
    fails: [
      'A response without a token, if the next requests that name a lifetime are served.',
      'A token that never ends: one without exp, where tokens of a requested lifetime have it.',
    ],
    warns: ['A lifetime of over a day.'],
  },
  mints: 3,
  needs: ['mint'],
  async run({ mint, newUser, clock }, judge) {
    const seconds = Math.max(60, mint.minTtlSeconds)
    let ends = true
    const control = async () => {
      const { read } = await mint.token(newUser(), { ttlSeconds: seconds })
      ends &&= read?.claims?.['exp'] !== undefined
    }
    await judge.sandwich(control, async () => {
      const reply = await askBetweenControls(
        () => mint.request({ body: JSON.stringify({ userId: newUser() }), followRedirects: true }),
        isSuccess,
        control,
      )
      // A rate limit that does not end says nothing about this request.
      if (reply.kind === 'answer' && reply.status === 429)
        throw new ControlLost('the mint answered 429, a rate limit', [reply.exchange])
      const located = reply.kind === 'answer' && isSuccess(reply) ? mint.locate(reply) : null
      judge.must(located !== null && located.kind !== 'missing', {
        saw: `no token for a request without ttlSeconds: the mint ${describeReply(reply)}`,
        expected: 'a token with a default lifetime (2.2)',
        fix: 'Make ttlSeconds optional.',
        evidence: [reply.exchange],
      })
      if (reply.kind === 'no-answer' || located?.kind !== 'found') return
      const read = readToken(located.token)
      const { byClaims, byClock } = lifetimeOf(read, reply, clock.wall())
      const lifetime = byClaims ?? byClock
      judge.observe('mint.defaultTtlSeconds', lifetime)
      // Where exp says the end of other tokens, one without it has none.
      judge.must(!ends || read?.claims == null || read.claims['exp'] !== undefined, {
        saw: 'a token without exp for a request without ttlSeconds, and exp in a token of a requested lifetime',
        expected: 'a token that expires (3)',
        fix: 'Give tokens a default lifetime of minutes.',
        evidence: [reply.exchange],
      })
      judge.advisory((lifetime ?? 0) <= daySeconds, {
        saw: `a lifetime of ${showLifetime(lifetime ?? 0)} for a request without ttlSeconds`,
        expected: 'minutes, not days (8)',
        fix: 'Give tokens a default lifetime of minutes.',
        evidence: [reply.exchange],
      })
    })
  },
})
