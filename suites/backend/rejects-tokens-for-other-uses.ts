import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { millisecondsLeft } from '../lib/token-end.ts'
import { showReply } from './lib/describe-reply.ts'
import { offerRequest } from './lib/offer-request.ts'
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
    untested: ['A token that has expired, as its exp says.'],
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

    const other = method === 'GET' ? 'POST' : 'GET'
    const control = () => backend.token()
    await withShortLivedTokens(parts, () =>
      attack(judge, {
        control,
        cases: given.flatMap(({ name, session }) => [
          { name, request: { session }, isAgain: false, onlyTokenCounts: false },
          { name: `${name}, sent again`, request: { session }, isAgain: true, onlyTokenCounts: false },
          {
            name: `${name}, by ${other}`,
            request: { session, method: other },
            isAgain: false,
            onlyTokenCounts: true,
          },
        ]),
        together: false,
        of: 'for a request with',
        async send({ name, request, isAgain, onlyTokenCounts }) {
          if (isAgain) await control()
          const offered = await offerRequest(backend, { ...request, case: name })
          const hasEnded = !offered.hasToken && millisecondsLeft(request.session, clock) <= 0
          return {
            ...offered,
            isUndecided: offered.isUndecided && !onlyTokenCounts,
            unseen: hasEnded
              ? 'the token had expired, as its exp says (write a new one in backend.sessions),'
              : null,
          }
        },
        breaches: {
          level: 'must',
          saw: ({ reply, hasToken }) => (hasToken ? `${showReply(reply)} and a calling token` : null),
          expected: 'a rejection, as for any text that is no session (4.2.1)',
          fix: 'Verify for whom and for what a token was issued (aud, typ, scope), not only who signed it.',
        },
      }),
    )
  },
})
