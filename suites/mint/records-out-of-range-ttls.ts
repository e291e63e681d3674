import { readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf } from '../../src/base/tokens/token-lifetime.ts'
import { defineCheck } from '../../src/requirement/define.ts'

const values = [0, -1, 1, 59, 3601, 86_401, 60.5, '900', null]

export default defineCheck({
  id: 'MINT-11',
  role: 'mint',
  level: 'INFO',
  kind: 'positive',
  clauses: ['8'],
  title: 'records handling of out-of-range ttlSeconds',
  why: 'The specification sets no limits and does not say what happens beyond them; authors of backends need to know.',
  how: 'Requests tokens with ttlSeconds 0, −1, 1, 59, 3601, 86401, 60.5, "900" and null. The status and the lifetime are recorded; nothing is judged.',
  mints: 6,
  needs: ['mint'],
  async run({ mint, newUser, clock }, judge) {
    const probe = async (ttlSeconds: unknown): Promise<readonly [string, string]> => {
      const reply = await mint.request({ userId: newUser(), ttlSeconds, followRedirects: true })
      const name = JSON.stringify(ttlSeconds)
      if (reply.kind === 'no-answer') return [name, reply.message]
      const located = reply.status >= 200 && reply.status <= 299 ? mint.locate(reply) : null
      if (located?.kind !== 'found') return [name, `status ${reply.status}, no token`]
      const { byClaims, byClock } = lifetimeOf(readToken(located.token), reply, clock.wall())
      const seconds = byClaims ?? byClock
      return [name, `status ${reply.status}, ${seconds === null ? 'unreadable' : `${Math.round(seconds)} s`}`]
    }
    judge.observe('mint.oddTtls', Object.fromEntries(await Promise.all(values.map(probe))))
  },
  catches: {},
})
