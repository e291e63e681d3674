import type { Reply } from '../../src/base/http/client.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf } from '../../src/base/tokens/token-lifetime.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { describeReply, isSuccess } from '../backend/lib/describe-reply.ts'
import { noCrash } from './lib/reject-requests.ts'

const values = [0, -1, 1, 59, 3601, 86_401, 60.5, '900', null, true, { seconds: 900 }, [900]]

export default defineCheck({
  id: 'MINT-11',
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
  mints: 14,
  needs: ['mint'],
  async run({ mint, newUser, clock }, judge) {
    const describe = (reply: Reply): string => {
      const located = reply.kind === 'answer' && isSuccess(reply) ? mint.locate(reply) : null
      if (reply.kind === 'no-answer' || located?.kind !== 'found')
        return `${describeReply(reply)} without a token`
      const { byClaims, byClock } = lifetimeOf(readToken(located.token), reply, clock.wall())
      const seconds = byClaims ?? byClock
      return `${describeReply(reply)}, ${seconds === null ? 'unreadable' : `${Math.round(seconds)} s`}`
    }
    const crash = noCrash('ttlSeconds')
    await attack(judge, {
      // A mint that fails in the same way for every request has another fault than the type.
      control: () => mint.token(newUser()),
      cases: values.map((ttlSeconds) => ({
        name: `${JSON.stringify(ttlSeconds)} as ttlSeconds`,
        ttlSeconds,
      })),
      of: 'for a request with',
      async send({ ttlSeconds }) {
        const reply = await mint.request({ userId: newUser(), ttlSeconds, followRedirects: true })
        const status = reply.kind === 'answer' ? reply.status : null
        return { reply, status, isUndecided: false, evidence: [reply.exchange] }
      },
      breaches: {
        ...crash,
        saw: (seen, one) => (typeof one.ttlSeconds === 'number' ? null : crash.saw(seen, one)),
      },
      judgeAll: (tried) =>
        judge.observe(
          'mint.oddTtls',
          Object.fromEntries(tried.map(({ one, seen }) => [one.name, describe(seen.reply)])),
        ),
    })
  },
})
