import { attack, type Case, type Met } from '../../../src/requirement/attack.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import { isEnd, type SignalingEvent } from '../../../src/roles/signaling/event-log.ts'
import { namesUser } from '../../../src/roles/signaling/named-user.ts'
import { pingMs } from './open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

interface Online {
  readonly observer: OpenSocket & { readonly userId: string }
  readonly waitMs: number
}

/** A message before the credential, by the name that its field has; null for none. */
interface Early extends Case {
  readonly asks: 'nothing' | 'for users' | 'for a call'
  readonly message: string | null
}

interface Watched extends Met {
  readonly isLeak: boolean
}

const named = (asks: Early['asks']) => (message: string) => ({
  name: `the message ${message}`,
  asks,
  message,
})
const cases: readonly Early[] = [
  { name: 'no message', asks: 'nothing', message: null },
  // Names that services give to requests for the users that are online, and to messages for another user.
  ...['list', 'users', 'peers', 'presence', 'roster', 'who'].map(named('for users')),
  ...['call', 'invite', 'offer', 'message'].map(named('for a call')),
]

const fix = 'Read nothing but the credential, and send nothing about users, before the token is verified.'

/** Watches clients without a credential, most of which send messages of an application before it. */
export async function judgeEarlyFrames(parts: Parts, online: Online, judge: Judge): Promise<void> {
  const { signaling, clock } = parts
  let isToldUnasked = false
  await attack<Early, Watched>(judge, {
    control: signaling.control,
    cases,
    of: 'to a client without a credential, after',
    async send(one) {
      const begun = clock.monotonic()
      const opened = await signaling.unauthenticated()
      if (typeof opened === 'string') {
        // A late answer to the upgrade looks like silence; a rejection of it passes.
        const isLate = opened === 'silent' && clock.monotonic() - begun < online.waitMs
        const unseen = isLate ? 'signaling was silent, and opened no socket' : null
        return { isLeak: false, isUndecided: false, unseen, evidence: [] }
      }
      await using client = opened
      const watched = await watch(client, one, parts, online)
      if (one.asks === 'nothing') isToldUnasked = watched.isLeak
      const evidence = watched.isLeak ? [client.evidence(`met ${one.name}`)] : []
      return { ...watched, isUndecided: false, evidence }
    },
    breaches: [
      {
        level: 'advisory',
        saw: ({ isLeak }, { asks }) => (isLeak && asks === 'nothing' ? 'a user named' : null),
        expected: 'no data of users without a valid token',
        fix,
      },
      {
        level: 'must',
        saw({ isLeak }, { asks }) {
          if (!isLeak || asks === 'nothing') return null
          if (asks === 'for a call') return 'a message forwarded to a user, sent'
          // A service that names users to everyone does so without being asked.
          return isToldUnasked ? null : 'a user who is online named'
        },
        expected: 'nothing of the application without a valid token (1.3)',
        fix,
      },
    ],
  })
}

async function watch(
  client: OpenSocket,
  { asks, message }: Early,
  { callingTokens, signaling, unknownUser }: Parts,
  { observer, waitMs }: Online,
): Promise<Pick<Watched, 'isLeak' | 'unseen'>> {
  const caller = unknownUser()
  const users = [observer.userId]
  if (asks === 'nothing') {
    const token = await callingTokens.fresh()
    await signaling.accepted(token)
    users.push(token.userId)
  }
  if (message !== null) {
    const to = observer.userId
    const kind = { type: message, event: message, action: message }
    const call = asks === 'for a call' ? { to, target: to, from: caller, text: caller } : {}
    client.send(JSON.stringify({ ...kind, ...call }))
  }
  const isTold = (event: SignalingEvent) => users.some((userId) => namesUser({ events: [event] }, userId))
  const isHeard = () => observer.events.some(({ type, text }) => type === 'frame' && text.includes(caller))
  const leak = await client.next((event) => (asks === 'for a call' ? isHeard() : isTold(event)), waitMs)
  if (leak !== null || isHeard()) return { isLeak: true }
  // What was sent by now comes before the answer to a ping.
  const listeners = asks === 'for a call' ? [client, observer] : [client]
  for (const socket of listeners)
    if ((await socket.sendFrames([], pingMs)) === 'unread')
      return { isLeak: false, unseen: 'a ping was not answered in time, so that nothing shows what was sent' }
  if (asks === 'for a call' && observer.events.some(isEnd))
    return { isLeak: false, unseen: 'the socket of the user who listens ended' }
  return { isLeak: isHeard() }
}
