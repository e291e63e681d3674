import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf } from '../../src/base/tokens/token-lifetime.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { jsonAnswer } from './variant-answers.ts'

export default defineCheck({
  id: 'MINT-09',
  role: 'mint',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.2'],
  title: 'issues a token when ttlSeconds is omitted',
  why: 'The field is optional: a backend that does not set a lifetime must still get a token.',
  how: 'Between two controls that request 60 seconds (or the configured minimum), sends a request without ttlSeconds. A response without a token fails; the lifetime of the token is recorded.',
  mints: 3,
  needs: ['mint'],
  async run({ mint, newUser, clock }, judge) {
    await judge.sandwich(
      () => mint.token(newUser(), { ttlSeconds: Math.max(60, mint.minTtlSeconds) }),
      async () => {
        const reply = await mint.request({ userId: newUser(), followRedirects: true })
        // A rate limit that does not end says nothing about this request.
        if (reply.kind === 'answer' && reply.status === 429)
          throw new ControlLost('the mint answered 429, a rate limit', [reply.exchange])
        const isSuccess = reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299
        const located = isSuccess ? mint.locate(reply) : null
        judge.must(located !== null && located.kind !== 'missing', {
          saw: `no token for a request without ttlSeconds: the mint ${reply.kind === 'answer' ? `answered ${reply.status}` : reply.message}`,
          expected: 'a token with a default lifetime (2.2)',
          fix: 'Make ttlSeconds optional.',
          evidence: [reply.exchange],
        })
        if (!isSuccess || located?.kind !== 'found') return
        const { byClaims, byClock } = lifetimeOf(readToken(located.token), reply, clock.wall())
        judge.observe('mint.defaultTtlSeconds', byClaims ?? byClock)
      },
    )
  },
  catches: {
    'wants a ttl': {
      mint: {
        lifetime: (asked) => {
          if (typeof asked !== 'number') throw new Error('ttlSeconds is missing')
          return asked
        },
      },
    },
    'answers without a token': {
      mint: {
        answer: (answer, { body }) =>
          body?.includes('ttlSeconds') === false ? jsonAnswer({ warning: 'ttlSeconds is missing' }) : answer,
      },
    },
    'never answers': {
      mint: {
        answer: (answer, { body }) =>
          body?.includes('ttlSeconds') === false ? new Promise(() => undefined) : answer,
      },
      configuration: { limits: { requestSeconds: 1 } },
    },
  },
})
