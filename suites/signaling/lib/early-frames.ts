import { attack, type Case, judgeCases, type Met } from '../../../src/requirement/attack.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import { isEnd, type SignalingEvent } from '../../../src/roles/signaling/event-log.ts'
import { namesUser } from '../../../src/roles/signaling/named-user.ts'
import { pingMs } from './open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

interface Online {
  /** A client that stays online. */
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

const silent: Early = { name: 'no message', asks: 'nothing', message: null }
const asking: readonly Early[] = [
  // Names that services give to requests for the users that are online, and to messages for another user.
  ...['list', 'users', 'peers', 'presence', 'roster', 'who'].map(
    (message) => ({ name: `the message ${message}`, asks: 'for users', message }) as const,
  ),
  ...['call', 'invite', 'offer', 'message'].map(
    (message) => ({ name: `the message ${message}`, asks: 'for a call', message }) as const,
  ),
]

const fix = 'Read nothing but the credential, and send nothing about users, before the token is verified.'
const nothing = 'nothing of the application without a valid token (1.3)'

/** Watches clients without a credential, most of which send messages of an application before it. */
export async function judgeEarlyFrames(parts: Parts, online: Online, judge: Judge): Promise<void> {
  const { signaling, clock } = parts
  const leak = (asks: Early['asks'], saw: string) => (seen: Watched, one: Early) =>
    seen.isLeak && one.asks === asks ? saw : null
  const send = async (one: Early): Promise<Watched> => {
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
    const evidence = watched.isLeak ? [client.evidence(`met ${one.name}`)] : []
    return { ...watched, isUndecided: false, evidence }
  }
  const of = 'to a client without a credential, after'
  const unasked = await send(silent)
  judgeCases(
    judge,
    of,
    [{ one: silent, seen: unasked }],
    [
      {
        level: 'advisory',
        saw: leak('nothing', 'a user named'),
        expected: 'no data of users without a valid token',
        fix,
      },
    ],
  )
  await attack<Early, Watched>(judge, {
    control: signaling.control,
    // A service that names users to everyone does so without being asked.
    cases: asking.filter(({ asks }) => asks !== 'for users' || !unasked.isLeak),
    of,
    send,
    breaches: [
      { level: 'must', saw: leak('for users', 'a user who is online named'), expected: nothing, fix },
      {
        level: 'must',
        saw: leak('for a call', 'a message forwarded to a user, sent'),
        expected: nothing,
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
