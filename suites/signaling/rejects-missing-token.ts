import { defineCheck } from '../../src/requirement/define.ts'
import { type Attack, mustReject, type Rule } from './try-attacks.ts'

const rule: Rule = {
  clause: '4.3',
  fix: 'Require a valid calling token before the socket counts as authenticated.',
}

export default defineCheck({
  id: 'SIG-03',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['4.3', '5.4'],
  title: 'rejects a missing or malformed calling token',
  why: 'The calling token is the only proof of identity: without it, any client could join as any user.',
  how: 'Between two controls with fresh tokens, sends no credential, an empty one, and text that is not a token, each with its own declared userId and with none. A success sign fails.',
  mints: 2,
  needs: ['callingTokens', 'signaling'],
  async run({ signaling, unknownUser, randomBytes }, judge) {
    const garbage = ['x', 'undefined', 'null', 'true', 'a.b.c', '..', '....', 'test-token']
    const random = { short: randomBytes(16), long: randomBytes(180) }
    const attacks: Omit<Attack, 'userId'>[] = [
      { what: 'no credential', token: null },
      { what: 'an empty credential', token: '' },
      ...garbage.map((token) => ({ what: `"${token}"`, token })),
      { what: '16 random bytes in hex', token: random.short.toString('hex') },
      { what: '180 random bytes in base64url', token: random.long.toString('base64url') },
    ]
    const named = attacks.map((attack): Attack => ({ ...attack, userId: unknownUser() }))
    // A service may accept a guest under a name of its own, which no declared user would match.
    const nameless = attacks.map(
      (attack): Attack => ({ ...attack, what: `${attack.what}, with no userId declared`, userId: undefined }),
    )
    const all = [...named, ...(signaling.declaresUser ? nameless : [])]
    await judge.sandwich(signaling.control, () => mustReject(all, signaling, judge, rule))
  },
  catches: {
    'is open to all': { signaling: { guest: () => 'guest', joinsAs: (user, declared) => declared ?? user } },
    'lets clients without a credential in': {
      signaling: {
        guest: (credential) => (credential === null ? 'guest' : null),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'admits clients that say nothing of themselves, under a name of its own': {
      signaling: {
        guest: (credential) => (credential === null ? 'guest' : null),
        joinsAs: (user, declared) => (declared === null || declared === user ? user : null),
      },
    },
    'takes an empty credential': {
      signaling: {
        guest: (credential) => (credential === '' ? 'guest' : null),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'takes any text': {
      signaling: {
        guest: (credential) => (credential === null || credential === '' ? null : 'guest'),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'takes any text with two dots': {
      signaling: {
        guest: (credential) => (credential?.split('.').length === 3 ? 'guest' : null),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'takes what clients send that forgot to wait for their token': {
      signaling: {
        guest: (credential) => (credential === 'undefined' || credential === 'null' ? 'guest' : null),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'still knows a token from development': {
      signaling: {
        guest: (credential) => (credential === 'test-token' ? 'guest' : null),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'admits failed clients as guests': {
      signaling: {
        guest: (credential) => (credential?.startsWith('ey') ? null : 'guest'),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'greets every client, whatever follows': {
      signaling: {
        carriage: { in: 'message', template: '{"token":"{jwt}"}', after: 'open' },
        guest: (credential) => (credential?.startsWith('ey') ? null : 'guest'),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
  },
})
