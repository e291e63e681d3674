import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { mustReject } from './try-attacks.ts'

export default defineCheck({
  id: 'SIG-05',
  role: 'signaling',
  level: 'MUST',
  clauses: ['2.1.3', '5.4'],
  title: 'refuses a client that declares another userId than its token holds',
  why: 'Whoever could name somebody else beside a valid token of their own would take that person’s calls.',
  how:
    'Clients offer their own valid tokens and state the id of another user who is online, of one whom nobody knows, ' +
    'and their own id in capitals, cut short and prolonged. Each must be refused, between two controls that state the ' +
    'id of their token. Where the protocol has no place for a declaration nothing is judged.',
  mints: 9,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, newUser }, judge) {
    if (!signaling.declaresUser) {
      judge.onlyObserved('the protocol lets no client declare a userId')
      judge.observe('signaling.declaresUser', false)
      await signaling.control()
      return
    }
    judge.observe('signaling.declaresUser', true)
    const other = await callingTokens.fresh()
    const online = await signaling.hold({ token: other.jwt, declaredUser: other.userId })
    if (online.outcome !== 'accepted')
      throw new ControlLost(`signaling ${online.summary}, offered a fresh calling token`, [online.exchange])
    await using _ = online.socket
    const declarations: readonly (readonly [string, (own: string) => string])[] = [
      ['another user, who is online,', () => other.userId],
      ['a user whom nobody knows', () => newUser()],
      ["the token's user in capitals", (own) => own.toUpperCase()],
      ["the beginning of the token's userId", (own) => own.slice(0, -1)],
      ["the token's userId and one more letter", (own) => `${own}x`],
    ]
    const attacks = await Promise.all(
      declarations.map(async ([who, declare]) => {
        const { jwt, userId: own } = await callingTokens.fresh()
        return { what: `a valid token with ${who} declared`, token: jwt, userId: declare(own), own }
      }),
    )
    const differing = attacks.filter(({ userId, own }) => userId !== own)
    await judge.sandwich(signaling.control, () => mustReject(differing, signaling, judge))
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
