import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofSignaling } from '../lib/broken-rows.ts'
import {
  actingEarly,
  believing,
  claimsOf,
  endingAt,
  naming,
  renewing,
  takingEvents,
  takingInvocations,
  takingMessages,
  withRoomFor,
} from './lib/variant-open-sockets.ts'

export const broken: BrokenVariants = {
  ...ofSignaling({
    'believes any token on an open socket': believing(() => true),
    'believes a token without a signature on an open socket': believing(({ token }) => token.endsWith('.')),
    'believes a token with a signature on an open socket': believing(({ token }) => !token.endsWith('.')),
    'takes the declared user beside a valid token on an open socket': takingMessages(
      async ({ token, declared, session }) => {
        await session.verify(token)
        return declared
      },
    ),
    'takes the declared user without a token on an open socket': takingMessages(
      async ({ token, declared }) => (token === '' ? declared : null),
    ),
    'takes a second declaration': {
      declaredUser: { in: 'message', template: '{"type":"hello","as":"{userId}"}' },
      message(session, text) {
        const { as } = JSON.parse(text)
        if (as === undefined) return
        session.become(as)
        session.send(JSON.stringify({ type: 'welcome', userId: as }))
      },
    },
    'changes the user without a word to the client': takingMessages(async ({ declared }) => declared, {
      isSilent: true,
    }),
    'understands a message that its protocol lacks': {
      message(session, text) {
        const { type, userId } = JSON.parse(text)
        if (type === 'auth') session.send(JSON.stringify({ type: 'welcome', userId, peers: [] }))
      },
    },
    'believes a token in an event, where the first one travels in the opening message': takingEvents(
      ({ token }) => claimsOf(token).sub,
    ),
    'takes the declared user in an event, where the first token travels in the upgrade': {
      ...takingEvents(({ userId }) => userId),
      carriage: { in: 'query', name: 'token' },
    },
    'takes a message without a type that names the user as declarations do': {
      declaredUser: { in: 'query', name: 'caller' },
      message(session, text, usual) {
        const { caller } = JSON.parse(text)
        if (typeof caller !== 'string') return usual()
        session.become(caller)
        session.send(JSON.stringify({ type: 'welcome', userId: caller, peers: [] }))
      },
    },
    'lists users before the credential': actingEarly(({ type }, { presence, send }) => {
      if (type === 'peers') send(JSON.stringify({ type, users: presence.peers() }))
    }),
    'forwards a call before the credential': actingEarly(({ type, to = '', from }, { presence }) => {
      if (type === 'call') presence.tell(to, JSON.stringify({ type: 'ringing', from }))
    }),
  }),
  'believes any token that renews the one of the upgrade': renewing(() => true),
  'believes a token without a signature that renews the one of the upgrade': renewing(({ token }) =>
    token.endsWith('.'),
  ),
  'believes a token in an invocation of a hub': takingInvocations(async (token) => claimsOf(token).sub),
  'names users to a silent client': { signaling: naming(), as: 'warn' },
  'ends with a large message': endingAt(16 * 1024 * 1024),
  'ends with a message in many fragments': endingAt(10_000),
  'ends with a compressed message': endingAt(64 * 1024 * 1024),
  'ends the sockets of all with a large message': endingAt(16 * 1024 * 1024, { isBackAtOnce: true }),
  'has room for thirty clients': withRoomFor(30),
}
