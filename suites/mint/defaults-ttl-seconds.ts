import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf } from '../../src/base/tokens/token-lifetime.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { jsonAnswer } from './variant-answers.ts'

export default defineCheck({
  id: 'MINT-09',
  role: 'mint',
  level: 'MUST',
  clauses: ['2.2'],
  title: 'issues a token when ttlSeconds is left out',
  why: 'The field is optional: a backend that does not care about the lifetime must get a token.',
  how: 'Between two requests that ask for a minute, or the shortest lifetime there is,, one is sent without ttlSeconds. No token for it is a failure; the lifetime that it gets is recorded.',
  mints: 3,
  needs: ['mint'],
  async run({ mint, newUser, clock }, judge) {
    await judge.sandwich(
      () => mint.token(newUser(), { ttlSeconds: Math.max(60, mint.minTtlSeconds) }),
      async () => {
        const reply = await mint.request({ userId: newUser(), followRedirects: true })
        // A limit on the rate that does not end is no answer to this request.
        if (reply.kind === 'answer' && reply.status === 429)
          throw new ControlLost('the mint answered 429, a limit on the rate', [reply.exchange])
        const isSuccess = reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299
        const located = isSuccess ? mint.locate(reply) : null
        judge.must(located !== null && located.kind !== 'missing', {
          saw: `${reply.kind === 'answer' ? `the status ${reply.status}` : `that the mint ${reply.message}`} and no token for a request without ttlSeconds`,
          expected: 'a token, of a lifetime that the service chooses',
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
