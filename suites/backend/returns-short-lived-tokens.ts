import { ControlLost } from '../../src/base/inconclusive.ts'
import { isRecord, readToken } from '../../src/base/tokens/decode.ts'
import { type Lifetime, lifetimeOf, showLifetime } from '../../src/base/tokens/token-lifetime.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { answeredFromCache, askPastCache, askWhenClosed } from './lib/ask-past-cache.ts'
import { describeReply } from './lib/describe-reply.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

/** The upper end of the example range of clause 8, and a minute for a backdated `iat`. */
const longestSeconds = 3600 + 60

export default defineCheck({
  id: 'BACK-14',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: ['5.5', '8'],
  title: 'returns tokens that live for minutes, not days',
  why: 'A stolen token works until it expires, and it cannot be revoked.',
  how: {
    does: [
      'Reads the lifetime from the claims of a token that the backend returns.',
      "Where the backend is pointed at the suite's mint double, which shortens lifetimes, sends the backend's mint request to the mint itself.",
      'Records a lifetime that cannot be read.',
    ],
    warns: ['A lifetime over one hour.'],
  },
  mints: 2,
  needs: ['backend'],
  async run(parts, judge) {
    const { backend, clock, available, newUser } = parts
    const mint = available('mint')
    const seen = await withShortLivedTokens(parts, async (double) => {
      if (double === null) {
        const { jwt, answer, exchange } = await backend.token()
        return { seconds: shortest(lifetimeOf(readToken(jwt), answer, clock.wall())), exchange }
      }
      const { reply, calls } = await askWhenClosed(parts, () => askPastCache(parts, double))
      const call = calls.find(({ issued }) => issued !== null)
      if (call !== undefined && isRecord(call.json)) return await asAskedFor(call.json, call.exchange)
      if (backend.tokenOf(reply) === null)
        throw new ControlLost(`the backend returned no token: it ${describeReply(reply)}`, [reply.exchange])
      judge.untested(answeredFromCache)
      return null
    })
    if (seen === null) return
    judge.observe('backend.tokenLifetimeSeconds', seen.seconds)
    if (seen.seconds === null) return judge.onlyObserved('the lifetime of the token cannot be read')
    judge.advisory(seen.seconds <= longestSeconds, {
      saw: `tokens with a lifetime of ${showLifetime(seen.seconds)}`,
      expected: 'at most 3600 s (8)',
      fix: 'Request a ttlSeconds of minutes, such as 900.',
      evidence: [seen.exchange],
    })

    /** The lifetime that the mint grants for this body, in seconds, null where it cannot be read; the requested one where no mint is configured. */
    async function asAskedFor(body: Readonly<Record<string, unknown>>, exchange: string) {
      const { ttlSeconds } = body
      const asked = { seconds: readSeconds(ttlSeconds), exchange }
      if (mint === undefined) return asked
      const reply = await mint.request({
        body: JSON.stringify({ ...body, userId: newUser() }),
        followRedirects: true,
      })
      const located = reply.kind === 'answer' ? mint.locate(reply) : null
      // BACK-06 accuses a lifetime that is no integer, which a mint may reject.
      const isMalformed = ttlSeconds !== undefined && !Number.isInteger(ttlSeconds)
      if (isMalformed && reply.kind === 'answer' && located?.kind !== 'found') return asked
      if (reply.kind === 'no-answer' || located?.kind !== 'found')
        throw new ControlLost("the mint issued no token for the backend's mint request", [
          exchange,
          reply.exchange,
        ])
      const lifetime = lifetimeOf(readToken(located.token), reply, clock.wall())
      return { seconds: shortest(lifetime), exchange: reply.exchange }
    }
  },
})

/** The seconds that a mint call names, as a number or as its digits. */
function readSeconds(asked: unknown): number | null {
  if (typeof asked === 'number') return asked
  return typeof asked === 'string' && /^\d+$/.test(asked) ? Number(asked) : null
}

/** A backdated `iat` lengthens one reading, clock skew the other. */
function shortest({ byClaims, byClock }: Lifetime): number | null {
  const readings = [byClaims, byClock].filter((reading) => reading !== null)
  return readings.length === 0 ? null : Math.min(...readings)
}
