import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { ofSignaling } from '../lib/broken-rows.ts'
import { type Signaling, saying, subjectOf } from './lib/variants.ts'

type Session = Parameters<NonNullable<Signaling['message']>>[0]

const credentialFirst = {
  carriage: { in: 'message', template: '{"type":"auth","token":"{jwt}"}', after: 'open' },
} as const

export const broken: BrokenVariants = {
  ...ofSignaling({
    'believes a token without a signature on an open socket': believing((token) => token.endsWith('.')),
    'believes a token with a signature on an open socket': believing((token) => !token.endsWith('.')),
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
    'believes a token in an event, where the first one travels in the opening message': takingEvents(
      ({ token }) => subjectOf(token),
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
    'believes a token in an invocation of a hub': takingInvocations(),
    'forwards a call before the credential': actingEarly(({ type, to = '', from }, { presence }) => {
      if (type === 'call') presence.tell(to, JSON.stringify({ type: 'ringing', from }))
    }),
  }),
  'believes any token that renews the one of the upgrade': renewing(),
  'names users to a silent client': {
    signaling: {
      ...credentialFirst,
      opened: ({ presence, send }) => send(JSON.stringify({ type: 'presence', users: presence.peers() })),
    },
    as: 'warn',
  },
  'ends with a large message': endingAt(16 * 1024 * 1024),
  'ends with a message in many fragments': endingAt(10_000),
  'ends with a compressed message': endingAt(64 * 1024 * 1024),
  'ends the sockets of all with a large message': endingAt(16 * 1024 * 1024, 'back at once'),
  'has room for thirty clients': withRoomFor(30),
}

/** Signaling that reads credentials on open sockets as well; `userOf` gives the user from then on, null for none. */
function takingMessages(
  userOf: (again: { token: string; declared: string; session: Session }) => Promise<string | null>,
  { isSilent = false } = {},
): Signaling {
  return {
    carriage: { in: 'message', template: '{"type":"auth","token":"{jwt}","as":"{userId}"}', after: 'open' },
    declaredUser: { in: 'carriage' },
    async message(session, text, usual) {
      const { type, token, as } = JSON.parse(text)
      if (type !== 'auth') return usual()
      const user = await userOf({ token, declared: as, session }).catch(() => null)
      if (user === null) return session.send('{"type":"error"}')
      session.become(user)
      if (!isSilent) session.send(JSON.stringify({ type: 'welcome', userId: user, peers: [] }))
    },
  }
}

/** Signaling that reads the claims of a second token, and verifies none where `isBelieved` says so. */
function believing(isBelieved: (token: string) => boolean): Signaling {
  return takingMessages(async ({ token, session }) => {
    if (token !== '' && isBelieved(token)) return subjectOf(token)
    return (await session.verify(token)).userId
  })
}

/** Signaling in events as those of Socket.IO, which gives its socket another user on the event `auth`. */
export function takingEvents(
  userOf: (again: { readonly token: string; readonly userId: string }) => string | null,
): Signaling {
  const ready = (userId: string) => `42["ready",${JSON.stringify({ userId })}]`
  return {
    carriage: { in: 'message', template: '40{"token":"{jwt}"}', after: 'open' },
    welcome: { frames: (userId) => ['40{"sid":"s"}', ready(userId)], sign: { text: { startsWith: '40' } } },
    message(session, text) {
      // As Socket.IO does.
      if (text.startsWith('40')) return session.close(1000)
      const [, event, fields] = /^42\["(\w+)",(.*)\]$/.exec(text) ?? []
      const user = event === 'auth' ? userOf(JSON.parse(fields ?? '')) : null
      if (user === null) return
      session.become(user)
      session.send(ready(user))
    },
  }
}

/** Signaling in SignalR's style, which gives its socket another user on an invocation of `Authenticate`. */
function takingInvocations(): Signaling {
  const end = '\u001e'
  const invocation = (target: string, ...given: readonly unknown[]) =>
    JSON.stringify({ type: 1, target, arguments: given }) + end
  const welcome = (userId: string) => invocation('Welcome', { userId })
  return {
    carriage: { in: 'query', name: 'access_token' },
    welcome: saying(welcome, '{"type":1,"target":"Welcome"'),
    message(session, text) {
      const { invocationId, target, arguments: given = [] } = JSON.parse(text.replace(end, ''))
      const isKnown = target === 'Authenticate' && given.length === 1 && typeof given[0] === 'string'
      const user = isKnown ? subjectOf(given[0]) : null
      if (user === null) return session.send(JSON.stringify({ type: 3, invocationId, error: 'failed' }) + end)
      session.become(user)
      session.send(welcome(user))
    },
  }
}

/** Believes any token, where the first one travels in the upgrade and another message takes the later ones. */
function renewing(): Catch {
  const { message } = believing(() => true)
  return {
    signaling: {
      message(session, text, usual) {
        if (JSON.parse(text).type !== 'renew') return usual()
        return message?.(session, text.replace('"renew"', '"auth"'), usual)
      },
    },
    configuration: {
      signaling: { profile: { again: '{"type":"renew","token":"{jwt}","as":"{userId}"}' } },
    },
  }
}

/** Signaling that acts on messages before the credential; `act` says whether it knows the message. */
function actingEarly(
  act: (
    message: { readonly type?: string; readonly to?: string; readonly from?: string },
    session: Pick<Session, 'presence' | 'send'>,
  ) => void,
): Signaling {
  return {
    ...credentialFirst,
    early(session, text) {
      const message = JSON.parse(text)
      if (message.type === 'auth') return false
      act(message, session)
      return true
    },
  }
}

/** Signaling that a message of this length brings down, for good or with all its sockets. */
function endingAt(characters: number, afterwards?: 'back at once'): Catch {
  let isDown = false
  return {
    signaling: {
      messageBytes: 128 * 1024 * 1024,
      compresses: true,
      handshake: () => (isDown ? 'reset' : 'upgrade'),
      message({ presence }, text, usual) {
        if (text.length !== characters) return usual()
        isDown = afterwards === undefined
        for (const socket of presence.sockets()) socket.terminate()
      },
    },
    configuration: { limits: { patienceSeconds: 1 } },
    as: 'warn',
  }
}

/** Signaling that has so many connections, for all together. */
function withRoomFor(clients: number): Catch {
  let open = 0
  return {
    signaling: {
      ...credentialFirst,
      idleMs: 60_000,
      handshake: () => (open < clients ? 'upgrade' : 'ignore'),
      opened({ ended }) {
        open += 1
        void ended.then(() => {
          open -= 1
        })
      },
    },
    configuration: {
      limits: { idleConnections: 50, patienceSeconds: 1 },
      signaling: { profile: { timeoutMs: 8_000 } },
    },
    as: 'warn',
  }
}
