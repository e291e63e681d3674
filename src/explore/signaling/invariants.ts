import type { Invariant } from '../engine/subject.ts'

export const signalingInvariants = [
  {
    id: 'EXP-21',
    role: 'signaling',
    level: 'MUST',
    clauses: ['3', '5.6'],
    title: 'accepts a new token, whatever was refused before',
    why: 'A client whose token was refused mints again; a service that remembers the refusal keeps it out all the same.',
    how: 'A token that was never used, of a user without an open connection, must be accepted within 35 s.',
    expected: 'an accepted token (5.6)',
    fix: 'Judge each token by itself, and free what a connection has taken once it ends.',
    generalises: ['SIG-02', 'SIG-07', 'SIG-32'],
  },
  {
    id: 'EXP-22',
    role: 'signaling',
    level: 'MUST',
    clauses: ['3', '5.5'],
    title: 'rejects every expired token, whatever was accepted before',
    why: 'A verdict that is kept lets a token in long after its expiry.',
    how: 'Where signaling rejects a token 3.7 s behind its expiry when asked first, it must do so later too.',
    expected: 'a rejection (3)',
    fix: 'Compare the expiry in every attempt, also of tokens that were accepted before.',
    generalises: ['SIG-06'],
  },
  {
    id: 'EXP-23',
    role: 'signaling',
    level: 'MUST',
    clauses: ['1.3', '5.4'],
    title: 'rejects tampered and missing tokens at any time',
    why: 'A shortcut for known clients admits every client that sends something like theirs.',
    how: 'A token with one changed character of its claims or its signature, and no token at all, must be rejected.',
    expected: 'a rejection (5.4)',
    fix: 'Verify the signature in every attempt, and key what is remembered by the whole token.',
    generalises: ['SIG-03', 'SIG-20', 'SIG-22'],
  },
  {
    id: 'EXP-24',
    role: 'signaling',
    level: 'MUST',
    clauses: ['2.1.3', '5.4'],
    title: "rejects a token with another user's id at any time",
    why: 'A user who is known is not thereby allowed to be another one.',
    how: 'Where signaling rejects a token of one user with the userId of another when asked first, it must do so later too. Where its frames name the user who joins, that must be the user of the token.',
    expected: 'a client that joins as the user of its token, and a rejection otherwise (2.1.3, 5.4)',
    fix: 'Take the user from the token of this connection alone, and compare the stated userId in every attempt.',
    generalises: ['SIG-05', 'SIG-32', 'SIG-37'],
  },
] as const satisfies readonly Invariant[]

export type SignalingInvariant = (typeof signalingInvariants)[number]['id']
