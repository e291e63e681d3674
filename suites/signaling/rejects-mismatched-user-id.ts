import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { mustReject, type Rule } from './try-attacks.ts'

const rule: Rule = {
  clause: '5.4',
  fix: 'Take the userId from the token, or compare the declared one with it exactly.',
}

export default defineCheck({
  id: 'SIG-05',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['2.1.3', '5.4'],
  title: "rejects a declared userId that differs from the token's",
  why: "If a client could declare another userId next to its own valid token, it would receive that user's calls.",
  how: "Clients send their own valid tokens and declare the id of another user who is online, an unknown id, and their own id in upper case, truncated and extended, between two controls that declare the token's userId. A success sign fails. Where the protocol has no field for a declared user, nothing is judged.",
  mints: 9,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, newUser }, judge) {
    if (!signaling.declaresUser) {
      judge.onlyObserved('the protocol has no field for a declared userId')
      judge.observe('signaling.declaresUser', false)
      await signaling.control()
      return
    }
    judge.observe('signaling.declaresUser', true)
    const other = await callingTokens.fresh()
    const online = await signaling.hold({ token: other.jwt, declaredUser: other.userId })
    if (online.outcome !== 'accepted')
      throw new ControlLost(`signaling ${online.summary} when offered a fresh calling token`, [
        online.exchange,
      ])
    await using _ = online.socket
    const declarations: readonly (readonly [string, (own: string) => string])[] = [
      ['another online user', () => other.userId],
      ['an unknown user', () => newUser()],
      ["the token's userId in upper case", (own) => own.toUpperCase()],
      ["the token's userId truncated", (own) => own.slice(0, -1)],
      ["the token's userId extended", (own) => `${own}x`],
    ]
    const attacks = await Promise.all(
      declarations.map(async ([who, declare]) => {
        const { jwt, userId: own } = await callingTokens.fresh()
        return { what: `a valid token with ${who} declared`, token: jwt, userId: declare(own), own }
      }),
    )
    const differing = attacks.filter(({ userId, own }) => userId !== own)
    await judge.sandwich(signaling.control, () => mustReject(differing, signaling, judge, rule))
  },
  catches: {
    'trusts the declaration': { signaling: { joinsAs: (user, declared) => declared ?? user } },
    'does not look at the declaration': { signaling: { joinsAs: (user) => user } },
    'takes capitals for the same': {
      signaling: {
        joinsAs: (user, declared) => (declared?.toLowerCase() === user.toLowerCase() ? declared : null),
      },
    },
    'compares as far as the declaration goes': {
      signaling: { joinsAs: (user, declared) => (user.startsWith(declared ?? '') ? user : null) },
    },
    'compares as far as the token goes': {
      signaling: { joinsAs: (user, declared) => (declared?.startsWith(user) ? user : null) },
    },
    'trusts the declaration in a header': {
      signaling: {
        declaredUser: { in: 'header', name: 'X-Calling-User' },
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'trusts the declaration beside the token in a message': {
      signaling: {
        carriage: { in: 'message', template: '{"token":"{jwt}","as":"{userId}"}', after: 'open' },
        declaredUser: { in: 'carriage' },
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'trusts the declaration in a message of its own': {
      signaling: {
        declaredUser: { in: 'message', template: '{"type":"hello","as":"{userId}"}' },
        joinsAs: (user, declared) => declared ?? user,
      },
    },
  },
})
