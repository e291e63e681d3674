import { randomBytes } from 'node:crypto'
import { defineCheck } from '../../src/requirement/define.ts'
import { type Attack, mustReject } from './try-attacks.ts'

export default defineCheck({
  id: 'SIG-03',
  role: 'signaling',
  level: 'MUST',
  clauses: ['4.3', '5.4'],
  title: 'lets nobody join without a calling token',
  why: 'The calling token is the only proof of who joins: without one, anybody could be dialled as anybody.',
  how:
    'Between two controls with fresh tokens, clients offer no credential, an empty one, and text that is no token at ' +
    'all, each stating a userId of its own, or none. An attempt that shows a sign of success fails.',
  mints: 2,
  needs: ['callingTokens', 'signaling'],
  async run({ signaling, newUser }, judge) {
    const garbage = ['x', 'undefined', 'null', 'true', 'a.b.c', '..', '....', 'test-token']
    const random = { short: randomBytes(16), long: randomBytes(180) }
    const attacks: Omit<Attack, 'userId'>[] = [
      { what: 'no credential', token: null },
      { what: 'an empty credential', token: '' },
      ...garbage.map((token) => ({ what: `"${token}"`, token })),
      { what: '16 random bytes in hex', token: random.short.toString('hex') },
      { what: '180 random bytes in base64url', token: random.long.toString('base64url') },
    ]
    const strangers = attacks.map((attack): Attack => ({ ...attack, userId: newUser() }))
    // A guest may be let in under a name of the service's own, which no declaration would match.
    const nameless = attacks.map(
      (attack): Attack => ({ ...attack, what: `${attack.what}, with no userId declared`, userId: undefined }),
    )
    const all = [...strangers, ...(signaling.declaresUser ? nameless : [])]
    await judge.sandwich(signaling.control, () => mustReject(all, signaling, judge))
  },
  catches: {
    'is open to all': { signaling: { guest: () => 'guest', joinsAs: (user, declared) => declared ?? user } },
    'lets clients without a credential in': {
      signaling: {
        guest: (credential) => (credential === null ? 'guest' : null),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'lets those in who say nothing of themselves, under a name of its own': {
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
    'makes a guest of whoever fails': {
      signaling: {
        guest: (credential) => (credential?.startsWith('ey') ? null : 'guest'),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
    'greets whoever connects, whatever comes of it': {
      signaling: {
        carriage: { in: 'message', template: '{"token":"{jwt}"}', after: 'open' },
        guest: (credential) => (credential?.startsWith('ey') ? null : 'guest'),
        joinsAs: (user, declared) => declared ?? user,
      },
    },
  },
})
