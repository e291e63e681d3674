import { defineCheck } from '../../src/requirement/define.ts'
import { type Attack, judgeNoTokenIssued, sendAttacks } from './send-attacks.ts'

export default defineCheck({
  id: 'MINT-07',
  role: 'mint',
  level: 'MUST',
  clauses: ['2.1', '5.1'],
  title: 'issues nothing for a sessionToken or a calling JWT in the place of the key',
  why: 'Both are in the hands of every user: if one of them could mint, any user could become any other, and stay for ever.',
  how: "Between two ordinary requests, a fresh calling JWT and, where backend.sessions are configured, the users' sessionTokens are presented as the bearer, for their own user and for another. A token is a failure.",
  mints: 3,
  needs: ['mint'],
  async run(parts, judge) {
    const { mint, newUser, optional, available } = parts
    const own = newUser()
    const { jwt } = await mint.token(own)
    const sessions = [optional('backend')?.alice, available('bob')].filter((session) => session !== undefined)
    const attacks: Attack[] = [
      { name: 'a calling JWT as the key, for its own user', request: { key: jwt, userId: own } },
      { name: 'a calling JWT as the key, for another user', request: { key: jwt } },
      ...sessions.flatMap(({ token, userId }) => [
        { name: 'a sessionToken as the key, for its own user', request: { key: token, userId } },
        { name: 'a sessionToken as the key, for another user', request: { key: token } },
      ]),
    ]
    await sendAttacks(parts, judge, attacks, (outcomes) => judgeNoTokenIssued(judge, outcomes))
  },
  catches: {
    'takes anything in the shape of a JWT': {
      mint: { keyMatches: (presented, key) => presented === key || presented.split('.').length === 3 },
    },
    'takes the tokens that it issued itself': {
      mint: { keyMatches: (presented, key) => presented === key || claimsOf(presented).aud === 'calling' },
    },
    'takes whatever is no API key for a session': {
      mint: { keyMatches: (presented, key) => presented === key || !presented.startsWith('ac_live_') },
    },
    'takes opaque sessions': {
      mint: { keyMatches: (presented, key) => presented === key || !/^ac_live_|\./.test(presented) },
    },
  },
})

function claimsOf(jwt: string): { readonly aud?: unknown } {
  try {
    return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    return {}
  }
}
