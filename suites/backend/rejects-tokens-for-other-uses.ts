import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import { showReply } from './lib/describe-reply.ts'
import { mustGetToken, offerRequest } from './lib/offer-request.ts'
import { taking, takingAfterServed } from './lib/variant-uses.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

const names = {
  otherApp: 'an access token of another app',
  idToken: 'an ID token',
  refreshToken: 'a refresh token',
} as const

const noneGiven =
  'none of backend.sessions.otherApp, .idToken and .refreshToken is given: write tokens there that the same login issues for something else, where it does'

export default defineCheck({
  id: 'BACK-23',
  role: 'backend',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['4.2.1'],
  standards: ['RFC 8725, 3.9', 'RFC 8725, 3.11', 'RFC 9068, 4', 'RFC 9700, 2.3', 'OWASP ASVS 5.0, 9.2.3'],
  basis: 'The backend validates the sessionToken: what was issued for something else is none (4.2.1).',
  title: 'rejects tokens that the same login issued for something else',
  why: 'The operator of another app of the same login, or a script that reads an ID token in a page, could otherwise get calling tokens.',
  how: {
    does: [
      'Between controls with the session of alice, sends the tokens of backend.sessions.otherApp, idToken and refreshToken as the bearer, each twice, and once by the method that is not configured.',
    ],
    fails: ['A calling token.'],
    untested: [
      'A request that met a rate limit, a gateway error or no response.',
      'A token that has expired, as its exp says.',
    ],
  },
  mints: 5,
  needs: ['backend'],
  async run(parts, judge) {
    const { backend, clock, configuration } = parts
    const { sessions = {}, method = 'POST' } = configuration.backend ?? {}
    const given = (['otherApp', 'idToken', 'refreshToken'] as const).flatMap((use) => {
      const session = sessions[use]?.token
      return session === undefined ? [] : [{ name: names[use], session }]
    })
    if (given.length === 0) return judge.notApplicable(noneGiven)

    const offer = async (
      name: string,
      request: BackendRequest & { readonly session: string },
      onlyTokenCounts = false,
    ) => {
      const { reply, hasToken, isUndecided } = await offerRequest(backend, { ...request, case: name })
      if (isUndecided && !onlyTokenCounts)
        return judge.undecided(`a rate limit, a gateway error or no response for a request with ${name}`, [
          reply.exchange,
        ])
      const exp = readToken(request.session)?.claims?.['exp']
      if (!hasToken && typeof exp === 'number' && exp * 1000 <= clock.wall())
        return judge.untested(
          `a request with ${name} had an expired token, as its exp says: write a new one in backend.sessions`,
        )
      judge.must(!hasToken, {
        case: name,
        saw: `${showReply(reply)} and a calling token for a request with ${name}`,
        expected: 'a rejection, as for any text that is no session (4.2.1)',
        fix: 'Verify for whom and for what a token was issued (aud, typ, scope), not only who signed it.',
        evidence: [reply.exchange],
      })
    }
    const other = method === 'GET' ? 'POST' : 'GET'
    await withShortLivedTokens(parts, () =>
      judge.sandwich(
        () => mustGetToken(backend, {}, "alice's session"),
        async () => {
          for (const { name, session } of given) {
            await offer(name, { session })
            await mustGetToken(backend, {}, "alice's session")
            await offer(name, { session })
            await offer(`${name}, by ${other}`, { session, method: other }, true)
          }
        },
      ),
    )
  },
  catches: {
    'looks only at the issuer': { backend: taking(() => true) },
    'takes access tokens for any audience': { backend: taking(({ use }) => use === 'otherApp') },
    'takes ID tokens': { backend: taking(({ use }) => use === 'idToken') },
    'takes refresh tokens': { backend: taking(({ use }) => use === 'refreshToken') },
    'takes whatever is a JWT of the login': { backend: taking(({ use }) => use !== 'refreshToken') },
    'takes the ID tokens of users who were served before': {
      backend: takingAfterServed(({ use }) => use === 'idToken'),
    },
    "takes another app's access tokens of users who were served before": {
      backend: takingAfterServed(({ use }) => use === 'otherApp'),
    },
    'takes ID tokens, and mints for a guest': {
      backend: { ...taking(({ use }) => use === 'idToken'), userId: () => 'guest' },
    },
    'takes ID tokens, and cannot be pointed at the mint double': {
      backend: taking(({ use }) => use === 'idToken'),
      withoutDouble: true,
    },
    'takes refresh tokens, where only they are configured': {
      backend: taking(({ use }) => use === 'refreshToken'),
      configuration: { backend: { sessions: { otherApp: null, idToken: null } } },
    },
  },
})
