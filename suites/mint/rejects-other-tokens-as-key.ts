import { defineCheck } from '../../src/requirement/define.ts'
import { findEnded } from '../../src/roles/backend/driver.ts'
import { withShortLivedTokens } from '../backend/lib/with-short-lived-tokens.ts'
import { noToken, rejectRequests, type WrongRequest } from './lib/reject-requests.ts'

export default defineCheck({
  id: 'MINT-07',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['2.1', '5.1'],
  basis:
    'The API key alone authorizes mint calls; the two user tokens have other purposes and are not mixed with it (2.1, 5.1).',
  title: 'rejects sessionTokens and calling JWTs as API keys',
  why: 'Every user has both tokens. If either could mint, any user could impersonate any other without limit.',
  how: {
    does: [
      "Between two controls, sends a fresh calling JWT and, where backend.sessions are configured, the users' sessionTokens as the bearer, each for its own user and for another user.",
    ],
    fails: ['A token.'],
    untested: ['A session that gets no token from the backend afterwards: it may have ended before.'],
  },
  mints: 5,
  needs: ['mint'],
  drives: ['mint', 'backend'],
  async run(parts, judge) {
    const { mint, newUser, optional, available } = parts
    const own = newUser()
    const { jwt } = await mint.token(own)
    const backend = optional('backend')
    const users = [backend?.alice, available('bob')].filter((user) => user !== undefined)
    const sessions = backend === undefined ? [] : await Promise.all(users.map(backend.exactSession))
    const cases: WrongRequest[] = [
      { name: 'a calling JWT as the key, for its own user', request: { key: jwt, userId: own } },
      { name: 'a calling JWT as the key, for another user', request: { key: jwt } },
      ...sessions.flatMap(({ token, userId }) => [
        { name: 'a sessionToken as the key, for its own user', request: { key: token, userId } },
        { name: 'a sessionToken as the key, for another user', request: { key: token } },
      ]),
    ]
    await rejectRequests(parts, judge, cases, [noToken('5.1', 'Accept nothing but API keys as the bearer.')])
    const ended =
      backend === undefined ? [] : await withShortLivedTokens(parts, () => findEnded(backend, sessions))
    if (ended.length > 0)
      judge.untested(
        `${ended.length} of ${sessions.length} sessions got no token afterwards: they may have ended before`,
      )
  },
})
