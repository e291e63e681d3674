import { ControlLost } from '../../src/base/inconclusive.ts'
import { isRecord, readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf } from '../../src/base/tokens/token-lifetime.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { answeredFromCache, askPastCache } from './ask-past-cache.ts'
import { describeReply } from './describe-reply.ts'
import { withShortLivedTokens } from './with-short-lived-tokens.ts'

/** The upper end of the range that clause 8 gives as an example, and a minute for an `iat` that is dated back. */
const longestSeconds = 3600 + 60

/** What is known of the life of the tokens that the app gets: seconds, or `null`, and the exchange that shows it. */
interface Seen {
  readonly seconds: number | null
  readonly exchange: string
}

export default defineCheck({
  id: 'BACK-14',
  role: 'backend',
  level: 'ADVISORY',
  clauses: ['5.5', '8'],
  title: 'hands out tokens that live for minutes, not days',
  why: 'Whoever gets hold of a token joins as its user for as long as it lives, and nothing takes it back.',
  how: "The lifetime of a token that the backend hands out is read off its claims. Where the backend is pointed at the suite's mint double, which shortens lifetimes, the mint itself is asked for what the backend asked the double for. More than an hour is a warning; a lifetime that cannot be read is recorded as such.",
  mints: 2,
  needs: ['backend'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend, clock, available, newUser } = parts
    const mint = available('mint')
    const seen = await withShortLivedTokens(parts, async (double): Promise<Seen | null> => {
      if (double === null) {
        const { jwt, answer, exchange } = await backend.token()
        return { seconds: shortest(lifetimeOf(readToken(jwt), answer, clock.wall())), exchange }
      }
      const { reply, calls } = await askPastCache(parts, double)
      const call = calls.find(({ issued }) => issued !== null)
      if (call !== undefined && isRecord(call.json)) return await asAskedFor(call.json, call.exchange)
      if (backend.tokenOf(reply) === null)
        throw new ControlLost(`the backend gave no token: ${describeReply(reply)}`, [reply.exchange])
      judge.untested(answeredFromCache)
      return null
    })
    if (seen === null) return
    judge.observe('backend.tokenLifetimeSeconds', seen.seconds)
    if (seen.seconds === null) return judge.onlyObserved('the lifetime of the token cannot be read')
    judge.advisory(seen.seconds <= longestSeconds, {
      saw: `tokens that live for ${Math.round(seen.seconds)} s`,
      expected: 'an hour at most',
      evidence: [seen.exchange],
    })

    /** The lifetime that the mint grants for this body; the one asked for where there is no mint to tell. */
    async function asAskedFor(body: Readonly<Record<string, unknown>>, exchange: string): Promise<Seen> {
      const { ttlSeconds } = body
      if (mint === undefined) return { seconds: typeof ttlSeconds === 'number' ? ttlSeconds : null, exchange }
      const reply = await mint.request({ body: { ...body, userId: newUser() }, followRedirects: true })
      const located = reply.kind === 'answer' ? mint.locate(reply) : null
      if (reply.kind === 'no-answer' || located?.kind !== 'found')
        throw new ControlLost('the mint gave no token for what the backend asked it for', [
          exchange,
          reply.exchange,
        ])
      const lifetime = lifetimeOf(readToken(located.token), reply, clock.wall())
      return { seconds: shortest(lifetime), exchange: reply.exchange }
    }
  },
  catches: {
    'asks for a week': {
      backend: { ttlSeconds: () => 7 * 86_400 },
      mint: { ttl: { defaultSeconds: 900, floorSeconds: 1, ceilingSeconds: 30 * 86_400 } },
      as: 'warn',
    },
    'asks for two hours': {
      backend: { ttlSeconds: () => 7200 },
      mint: { ttl: { defaultSeconds: 900, floorSeconds: 1, ceilingSeconds: 86_400 } },
      as: 'warn',
    },
    'asks for milliseconds': {
      backend: { ttlSeconds: () => 900_000 },
      mint: { ttl: { defaultSeconds: 900, floorSeconds: 1, ceilingSeconds: 30 * 86_400 } },
      as: 'warn',
    },
    'leaves it to a mint that grants a day': {
      backend: { ttlSeconds: () => undefined },
      mint: { ttl: { defaultSeconds: 86_400, floorSeconds: 1, ceilingSeconds: 86_400 } },
      as: 'warn',
    },
    "asks for a day, and the mint's answer cannot be seen": {
      backend: { ttlSeconds: () => 86_400 },
      configuration: { mint: null },
      as: 'warn',
    },
  },
})

/** An `iat` that is dated back lengthens one reading, a clock that is off the other. */
function shortest({
  byClaims,
  byClock,
}: {
  readonly byClaims: number | null
  readonly byClock: number | null
}) {
  const readings = [byClaims, byClock].filter((reading) => reading !== null)
  return readings.length === 0 ? null : Math.min(...readings)
}
