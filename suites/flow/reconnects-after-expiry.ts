import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf } from '../../src/base/tokens/token-lifetime.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { assertRealTokens } from './assert-real-tokens.ts'
import { fetchLastingToken } from './fetch-lasting-token.ts'

export default defineCheck({
  id: 'FLOW-03',
  role: 'flow',
  level: 'MUST',
  clauses: ['3'],
  title: 'lets a user come back with a new token after the old one has expired',
  why: 'Every call that lasts longer than a token depends on it.',
  how: 'A short-lived token is fetched through the backend and accepted by signaling. After its end it must be refused (how long after is left to SIG-06), and a token fetched anew through the backend must be accepted. A backend that still hands out the old token, or signaling that never refuses it, is a failure.',
  mints: 2,
  needs: ['backend', 'signaling', 'expiry'],
  phase: 'expiry',
  async run(parts, judge) {
    const { backend, signaling, expiry, clock, available } = parts
    assertRealTokens(parts)
    const { alice } = backend
    const double = available('mintDouble')
    const old =
      double === undefined
        ? { ...(await backend.token(alice)), isNew: false }
        : await double.alone(async (scripted) => {
            scripted.lifetime(expiry.ttlSeconds)
            return { ...(await backend.token(alice)), isNew: scripted.calls().length > 0 }
          })
    const { sentAt, receivedAt } = old.answer
    const lifetime = lifetimeOf(readToken(old.jwt), old.answer, clock.wall())
    if (lifetime.byClock === null && !old.isNew)
      throw new Untested('the end of the token cannot be read, and it may have come from a cache')
    // Of a token that the backend may have kept for a while, only what is left counts.
    const left = old.isNew ? lifetime : { byClaims: lifetime.byClock, byClock: lifetime.byClock }
    const end = expiry.endOf({ lifetime: left, askedSeconds: expiry.ttlSeconds, sentAt, receivedAt })

    const early = await signaling.join({ jwt: old.jwt, userId: alice.userId })
    if (early.outcome !== 'accepted')
      throw new ControlLost(`signaling ${early.summary}, given a token fetched a moment ago`, [
        early.exchange,
      ])

    let refusedBy: string | null = null
    for (const seconds of expiry.trials) {
      await expiry.until(end.expiredAt + seconds * 1000)
      const late = await signaling.join({ jwt: old.jwt, userId: alice.userId })
      if (late.outcome === 'refused' && late.unreachable === true)
        throw new ControlLost(`signaling could not be reached: it ${late.summary}`, [late.exchange])
      if (late.outcome === 'accepted') continue
      refusedBy = late.exchange
      break
    }
    judge.must(refusedBy !== null, {
      saw: `a token still accepted ${expiry.trials.at(-1)} s after its end`,
      expected: 'it to be refused, so that the client fetches a new one',
    })
    const fresh = await fetchLastingToken(parts, alice)
    const again = await signaling.join({ jwt: fresh.jwt, userId: alice.userId })
    if (again.outcome === 'refused' && again.unreachable === true)
      throw new ControlLost(`signaling could not be reached: it ${again.summary}`, [again.exchange])
    judge.must(again.outcome === 'accepted', {
      saw: `that signaling ${again.summary}, given ${fresh.jwt === old.jwt ? 'the old token, which the backend handed out again' : 'the token that the backend handed out after the end of the old one'}`,
      expected: 'a new token that lets the user in',
      evidence: [fresh.exchange, again.exchange],
    })
  },
  catches: {
    'the backend keeps tokens for ever': {
      backend: {
        tokenFor: (userId, { kept, mint }) => {
          const token = kept.get(userId) ?? mint(userId)
          kept.set(userId, token)
          return token
        },
      },
    },
    'the backend keeps tokens for fifteen minutes, whatever their end': {
      backend: {
        tokenFor: (userId, { kept, mint, startedAt }) => {
          const slot = `${userId}/${Math.floor((Date.now() - startedAt) / 900_000)}`
          const token = kept.get(slot) ?? mint(userId)
          kept.set(slot, token)
          return token
        },
      },
    },
    'signaling never refuses an expired token': {
      signaling: { leewaySeconds: 86_400 },
      configuration: { limits: { leewayFailSeconds: 5, leewayWarnSeconds: 5 } },
    },
    'signaling locks a user out after an expired token': {
      signaling: { banKey: () => 'everyone' },
    },
  },
})
