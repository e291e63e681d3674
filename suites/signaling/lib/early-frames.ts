import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import { isEnd, type SignalingEvent } from '../../../src/roles/signaling/event-log.ts'
import { namesUser } from '../../../src/roles/signaling/named-user.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

interface Online {
  /** A client that stays online. */
  readonly observer: OpenSocket & { readonly userId: string }
  readonly waitMs: number
}

/** A socket that is open answers a ping as soon as it has read it. */
const pingMs = 5_000

const fix = 'Read nothing but the credential, and send nothing about users, before the token is verified.'
/** Names that services give to requests for the users that are online. */
const listRequests = ['list', 'users', 'peers', 'presence', 'roster', 'who']
/** Names that services give to messages for another user. */
const callRequests = ['call', 'invite', 'offer', 'message']

/** Watches a client without a credential, and sends messages of an application before it. */
export async function judgeEarlyFrames(parts: Parts, online: Online, judge: Judge): Promise<void> {
  const opened = await openUnauthenticated(parts, online, judge)
  if (opened === null) return
  const course = await judgeSilent(opened, parts, online, judge)
  // A service that names users to everyone does so without being asked.
  const asked = course === 'told' ? [] : listRequests
  await Promise.all([
    ...asked.map((name) => judgeList(name, parts, online, judge)),
    ...callRequests.map((name) => judgeCall(name, parts, online, judge)),
  ])
}

/** Null where the upgrade is rejected, which passes; a late answer to it looks like silence. */
async function openUnauthenticated(
  { signaling, clock }: Parts,
  { waitMs }: Online,
  judge: Judge,
): Promise<OpenSocket | null> {
  const begun = clock.monotonic()
  const opened = await signaling.unauthenticated()
  if (typeof opened !== 'string') return opened
  if (opened === 'silent' && clock.monotonic() - begun < waitMs)
    judge.untested('no socket without a credential could be opened: signaling stayed silent')
  else judge.passed()
  return null
}

/** Says whether what the service sent by now has come: a socket that is open answers a ping behind it. */
async function wasWatched(socket: OpenSocket, who: string, judge: Judge): Promise<boolean> {
  const isRead = (await socket.sendFrames([], pingMs)) !== 'unread'
  if (!isRead) judge.untested(`${who} answered no ping in time, so that it was not watched for long enough`)
  return isRead
}

/** How a connection without a credential goes on. */
async function judgeSilent(
  opened: OpenSocket,
  { callingTokens, signaling }: Parts,
  { observer, waitMs }: Online,
  judge: Judge,
): Promise<'told' | 'quiet'> {
  await using client = opened
  const token = await callingTokens.fresh()
  await signaling.accepted(token)
  const names = (event: SignalingEvent) =>
    [token.userId, observer.userId].some((userId) => namesUser({ events: [event] }, userId))
  const leak = await client.next(names, waitMs)
  if (leak === null && !(await wasWatched(client, 'a socket without a credential', judge))) return 'quiet'
  judge.advisory(leak === null, {
    case: 'a silent client',
    saw: 'a user named to a client that had sent no credential',
    expected: 'no data of users without a valid token',
    fix,
    evidence: leak === null ? [] : [client.evidence('was told of a user')],
  })
  return leak === null ? 'quiet' : 'told'
}

async function judgeList(name: string, parts: Parts, online: Online, judge: Judge): Promise<void> {
  const opened = await openUnauthenticated(parts, online, judge)
  if (opened === null) return
  const { observer, waitMs } = online
  await using client = opened
  const names = (event: SignalingEvent) => namesUser({ events: [event] }, observer.userId)
  client.send(JSON.stringify({ type: name, event: name, action: name }))
  const leak = await client.next(names, waitMs)
  if (leak === null && !(await wasWatched(client, 'a socket without a credential', judge))) return
  judge.must(leak === null, {
    case: `the message ${name} before the credential`,
    saw: `a user who is online named to a client without a credential, after the message ${name}`,
    expected: 'nothing of the application without a valid token (1.3)',
    fix,
    evidence: leak === null ? [] : [client.evidence(`answered the message ${name}`)],
  })
}

async function judgeCall(name: string, parts: Parts, online: Online, judge: Judge): Promise<void> {
  const opened = await openUnauthenticated(parts, online, judge)
  if (opened === null) return
  const { observer, waitMs } = online
  await using client = opened
  const caller = parts.unknownUser()
  const to = observer.userId
  client.send(
    JSON.stringify({ type: name, event: name, action: name, to, target: to, from: caller, text: caller }),
  )
  // Each waits for its own: the observer hears all of them.
  const heard = () => observer.events.some((event) => event.type === 'frame' && event.text.includes(caller))
  await client.next(() => heard(), waitMs)
  if (!heard() && !(await wasWatched(client, 'a socket without a credential', judge))) return
  if (observer.events.some(isEnd)) return judge.untested('the socket of the user who listens ended')
  if (!heard() && !(await wasWatched(observer, 'the user who listens', judge))) return
  judge.must(!heard(), {
    case: `the message ${name} before the credential`,
    saw: `the message ${name} of a client without a credential forwarded to a user`,
    expected: 'nothing of the application without a valid token (1.3)',
    fix,
    evidence: heard() ? [client.evidence(`forwarded the message ${name}`)] : [],
  })
}
