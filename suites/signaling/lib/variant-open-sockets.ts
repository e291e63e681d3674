import type { Catch } from '../../../src/requirement/define.ts'

type Signaling = NonNullable<Catch['signaling']>
type Session = Parameters<NonNullable<Signaling['message']>>[0]

/** A second credential, as a client has sent it. */
interface Again {
  readonly token: string
  readonly declared: string
  readonly session: Session
}

/** Signaling that reads credentials on open sockets as well; `userOf` gives the user from then on, null for none. */
export function takingMessages(
  userOf: (again: Again) => Promise<string | null>,
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
export function believing(isBelieved: (again: Again) => boolean): Signaling {
  return takingMessages(async (again) => {
    const { token, session } = again
    if (token !== '' && isBelieved(again)) return claimsOf(token).sub
    return (await session.verify(token)).userId
  })
}

export function claimsOf(token: string): { readonly sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
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
export function takingInvocations(userOf: (token: string, session: Session) => Promise<string>): Catch {
  const end = '\u001e'
  const invocation = (target: string, ...given: readonly unknown[]) =>
    JSON.stringify({ type: 1, target, arguments: given }) + end
  const welcome = (userId: string) => invocation('Welcome', { userId })
  return {
    signaling: {
      carriage: { in: 'query', name: 'access_token' },
      welcome: {
        frames: (userId) => [welcome(userId)],
        sign: { text: { startsWith: '{"type":1,"target":"Welcome"' } },
      },
      async message(session, text) {
        const { invocationId, target, arguments: given = [] } = JSON.parse(text.replace(end, ''))
        const isKnown = target === 'Authenticate' && given.length === 1 && typeof given[0] === 'string'
        const user = isKnown ? await userOf(given[0], session).catch(() => null) : null
        if (user === null)
          return session.send(JSON.stringify({ type: 3, invocationId, error: 'failed' }) + end)
        session.become(user)
        session.send(welcome(user))
      },
    },
  }
}

/** As `believing`, where the first token travels in the upgrade and another message takes the later ones. */
export function renewing(isBelieved: (again: Again) => boolean): Catch {
  const { message } = believing(isBelieved)
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

const credentialFirst = {
  carriage: { in: 'message', template: '{"type":"auth","token":"{jwt}"}', after: 'open' },
} as const

/** Signaling that acts on messages before the credential; `act` says whether it knows the message. */
export function actingEarly(
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

/** Signaling that tells everyone who is online, at once. */
export function naming(): Signaling {
  return {
    ...credentialFirst,
    opened: ({ presence, send }) => send(JSON.stringify({ type: 'presence', users: presence.peers() })),
  }
}

/** Signaling that a message of this length brings down, for good or with all its sockets. */
export function endingAt(characters: number, { isBackAtOnce = false } = {}): Catch {
  let isDown = false
  return {
    signaling: {
      messageBytes: 128 * 1024 * 1024,
      compresses: true,
      handshake: () => (isDown ? 'reset' : 'upgrade'),
      message({ presence }, text, usual) {
        if (text.length !== characters) return usual()
        isDown = !isBackAtOnce
        for (const socket of presence.sockets()) socket.terminate()
      },
    },
    configuration: { limits: { patienceSeconds: 1 } },
    as: 'warn',
  }
}

/** Signaling that has so many connections, for all together. */
export function withRoomFor(clients: number): Catch {
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
