import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofSignaling } from '../lib/broken-rows.ts'
import {
  answeringEarly,
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
    'lists users before the credential': answeringEarly((text, { peers }) =>
      text.includes('"type":"peers"') ? { reply: JSON.stringify({ type: 'peers', users: peers }) } : null,
    ),
    'forwards a call before the credential': answeringEarly((text) => {
      const { type, to, from } = JSON.parse(text)
      return type === 'call' ? { to, frame: JSON.stringify({ type: 'ringing', from }) } : null
    }),
  }),
  'believes any token that renews the one of the upgrade': renewing(() => true),
  'believes a token without a signature that renews the one of the upgrade': renewing(({ token }) =>
    token.endsWith('.'),
  ),
  'believes a token in an invocation of a hub': takingInvocations(async (token) => claimsOf(token).sub),
  'names users to a silent client': { signaling: naming(), as: 'warn' },
  'ends with a large message': endingAt({ characters: 16 * 1024 * 1024 }),
  'ends with a message in many fragments': endingAt({ characters: 10_000 }),
  'ends with a compressed message': endingAt({ characters: 64 * 1024 * 1024 }),
  'ends the sockets of all with a large message': endingAt({
    characters: 16 * 1024 * 1024,
    isBackAtOnce: true,
  }),
  'has room for thirty clients': withRoomFor(30),
}
