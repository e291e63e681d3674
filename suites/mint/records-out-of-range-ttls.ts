import type { Reply } from '../../src/base/http/client.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf } from '../../src/base/tokens/token-lifetime.ts'
import { judgeCases } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { noCrash } from './lib/reject-requests.ts'

const values = [0, -1, 1, 59, 3601, 86_401, 60.5]
const wrongTypes = ['900', null, true, { seconds: 900 }, [900]]

export default defineCheck({
  id: 'MINT-11',
  role: 'mint',
  level: 'INFO',
  kind: 'positive',
  clauses: ['8'],
  title: 'records handling of out-of-range ttlSeconds',
  why: 'The specification sets no limits and does not say what happens beyond them; authors of backends need to know.',
  how: {
    does: [
      'Requests tokens with ttlSeconds 0, −1, 1, 59, 3601, 86401, 60.5, and with a text, null, a boolean, an object and an array in its place.',
      'The status and the lifetime are recorded.',
      'Where all of them meet a 5xx status, an ordinary request must be served.',
    ],
    warns: ['A status of 500 for a value of the wrong type, as in MINT-08.'],
    untested: ['Anything else.'],
  },
  mints: 12,
  needs: ['mint'],
  async run({ mint, newUser, clock }, judge) {
    const describe = (reply: Reply): string => {
      if (reply.kind === 'no-answer') return reply.message
      const located = reply.status >= 200 && reply.status <= 299 ? mint.locate(reply) : null
      if (located?.kind !== 'found') return `status ${reply.status}, no token`
      const { byClaims, byClock } = lifetimeOf(readToken(located.token), reply, clock.wall())
      const seconds = byClaims ?? byClock
      return `status ${reply.status}, ${seconds === null ? 'unreadable' : `${Math.round(seconds)} s`}`
    }
    const outcomes = await Promise.all(
      [...values, ...wrongTypes].map(async (ttlSeconds) => {
        const reply = await mint.request({ userId: newUser(), ttlSeconds, followRedirects: true })
        return { ttlSeconds, name: JSON.stringify(ttlSeconds), reply }
      }),
    )
    judge.observe(
      'mint.oddTtls',
      Object.fromEntries(outcomes.map(({ name, reply }) => [name, describe(reply)])),
    )
    // A mint that fails in the same way for every request has another fault than the type.
    if (outcomes.every(({ reply }) => reply.kind === 'answer' && reply.status >= 500))
      await mint.token(newUser())
    const wrong = outcomes.filter(({ ttlSeconds }) => typeof ttlSeconds !== 'number')
    const tried = wrong.map(({ name, reply }) => ({
      one: { name: `${name} as ttlSeconds` },
      seen: {
        status: reply.kind === 'answer' ? reply.status : null,
        isUndecided: false,
        evidence: [reply.exchange],
      },
    }))
    judgeCases(judge, 'for a request with', tried, [noCrash('ttlSeconds')])
  },
})
