import type { Heading, Method } from '../requirement/define.ts'

/** A requirement that only `twotoken storm` judges. */
export interface LoadRequirement extends Heading {
  readonly how: Method
  readonly basis: string
}

export const loadRequirements = [
  {
    id: 'LOAD-01',
    role: 'flow',
    level: 'MUST',
    clauses: ['2.1.3', '2.1.4', '4.2.2'],
    basis: 'A calling JWT serves one person only (2.1.4), and is minted for the signed-in user (4.2.2).',
    title: "returns every user's own token under load",
    why: 'A variable that requests share, or a cache with short keys, mixes users up only when many come at once.',
    how: {
      does: [
        'Reads the user of every token that the token route and the mint return, as far as a token that was issued before the load names its user.',
        'Compares every token with those that other users got.',
      ],
      fails: [
        'A token that names another user, or that two users got. A join as another user, where an adapter names the user who joined.',
      ],
      untested: ['No token was issued to two users.'],
    },
  },
  {
    id: 'LOAD-02',
    role: 'backend',
    level: 'MUST',
    clauses: ['4.2.1'],
    basis: 'The backend validates the session first, and rejects one that is invalid or expired (4.2.1).',
    title: 'rejects invalid sessions at full load',
    why: 'A limiter or a cache in front of the check may answer before the session is looked at.',
    how: {
      does: [
        'Every tenth turn of a user is an attempt that must fail: no session, a random one, and those that the configuration names as expired and signed out.',
      ],
      fails: ['A token.'],
      untested: ['No signed-in user was served, or there is no backend.'],
    },
  },
  {
    id: 'LOAD-03',
    role: 'signaling',
    level: 'MUST',
    clauses: ['1.3', '3'],
    basis: 'A calling JWT proves that its bearer may join (1.3), until it expires (3).',
    title: 'rejects expired and forged tokens at full load',
    why: 'A check that is skipped when a queue is full is passed by filling the queue.',
    how: {
      does: [
        'Every tenth turn of a user offers a token whose signature was changed, one without a signature, or one that has expired.',
        'An expired token counts once signaling has refused it, so that no leeway is a violation.',
      ],
      fails: ['An accepted forgery, or an expired token that is accepted after it was refused.'],
      untested: ['No genuine token was accepted, no token is a JWS, or no token expired in time.'],
    },
  },
  {
    id: 'LOAD-04',
    role: 'mint',
    level: 'MUST',
    clauses: ['2.2', '3'],
    basis: '`ttlSeconds` is how long the token is to live (2.2), and it expires then (3).',
    title: 'issues tokens with the usual lifetime under load',
    why: 'A clock that falls behind under load issues tokens that are dead on arrival, or live too long.',
    how: {
      does: [
        "Compares the expiry of every user's first token with this machine's clock, and with the same for a token that was issued before the load.",
      ],
      fails: ['An expiry that is more than 60 s off, beside the time that the request took.'],
      untested: ['No token states its expiry, or there is no mint.'],
    },
  },
  {
    id: 'LOAD-05',
    role: 'flow',
    level: 'MUST',
    clauses: ['4.1', '4.2.4', '4.2.5', '7', '7.3'],
    basis:
      'A success of the mint carries a token (4.1), and so does one of the token route (4.2.5); a failure is answered with an error (4.2.4).',
    title: 'answers with a token or an error under load',
    why: 'An app that gets a success without a token neither calls nor tries again; one that gets 401 for overload signs its user out.',
    how: {
      does: [
        'Sorts every answer to a request that is in order by its status.',
        'With the profile `cap`, mints with a key whose cap is reached.',
      ],
      fails: ['A 2xx without a token, or a token for a key whose cap is reached.'],
      warns: [
        '4xx that says something else than too much load: 401 for a live session, a valid key or a fresh token, 400, 404. 402, 403, 408 and 429 and every 5xx are in order.',
      ],
      untested: ['Nothing answered.'],
    },
  },
  {
    id: 'LOAD-06',
    role: 'flow',
    level: 'MUST',
    clauses: ['3', '5.6'],
    basis:
      'A client that signaling rejects, or that has no attempt left, mints again and connects again (3, 5.6): behind the load that must work.',
    title: 'serves users again once the load is over',
    why: 'A queue that never drains, or a breaker that never closes, turns a busy minute into an outage.',
    how: {
      does: ['Behind the load, asks the token route and the mint once more and joins, for up to 35 s.'],
      fails: ['A part that served users before the load, and serves none for 35 s behind it.'],
      untested: ['The load was interrupted, or only figures are left of it.'],
    },
  },
] as const satisfies readonly LoadRequirement[]

export type LoadId = (typeof loadRequirements)[number]['id']
