import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import type { SignalingEvent } from '../../../src/roles/signaling/event-log.ts'
import { namesUser } from '../../../src/roles/signaling/named-user.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

interface Online {
  /** A client that stays online. */
  readonly observer: OpenSocket & { readonly userId: string }
  readonly waitMs: number
}

const fix = 'Read nothing but the credential, and send nothing about users, before the token is verified.'
/** Names that services give to requests for the users that are online. */
const listRequests = ['list', 'users', 'peers', 'presence', 'roster', 'who']
/** Names that services give to messages for another user. */
const callRequests = ['call', 'invite', 'offer', 'message']

/** Watches a client without a credential, and sends messages of an application before it. */
export async function judgeEarlyFrames(parts: Parts, online: Online, judge: Judge): Promise<void> {
  const course = await judgeSilent(parts, online, judge)
  if (course === 'rejected') return judge.passed()
  // A service that names users to everyone does so without being asked.
  const asked = course === 'told' ? [] : listRequests
  await Promise.all([
    ...asked.map((name) => judgeList(name, parts, online, judge)),
    ...callRequests.map((name) => judgeCall(name, parts, online, judge)),
  ])
}

/** How a connection without a credential goes on: rejected at the upgrade, told of users, or neither. */
async function judgeSilent(
  { callingTokens, signaling }: Parts,
  { observer, waitMs }: Online,
  judge: Judge,
): Promise<'rejected' | 'told' | 'quiet'> {
  const opened = await signaling.unauthenticated()
  if (opened === null) return 'rejected'
  await using client = opened
  const token = await callingTokens.fresh()
  await signaling.accepted(token)
  const names = (event: SignalingEvent) =>
    [token.userId, observer.userId].some((userId) => namesUser({ events: [event] }, userId))
  const leak = await client.next(names, waitMs)
  judge.advisory(leak === null, {
    case: 'a silent client',
    saw: 'a user named to a client that had sent no credential',
    expected: 'no data of users without a valid token',
    fix,
    evidence: leak === null ? [] : [client.evidence('was told of a user')],
  })
  return leak === null ? 'quiet' : 'told'
}

async function judgeList(
  name: string,
  { signaling }: Parts,
  { observer, waitMs }: Online,
  judge: Judge,
): Promise<void> {
  const opened = await signaling.unauthenticated()
  if (opened === null) return
  await using client = opened
  const names = (event: SignalingEvent) => namesUser({ events: [event] }, observer.userId)
  client.send(JSON.stringify({ type: name, event: name, action: name }))
  const leak = await client.next(names, waitMs)
  judge.must(leak === null, {
    case: `the message ${name} before the credential`,
    saw: `a user who is online named to a client without a credential, after the message ${name}`,
    expected: 'nothing of the application without a valid token (1.3)',
    fix,
    evidence: leak === null ? [] : [client.evidence(`answered the message ${name}`)],
  })
}

async function judgeCall(name: string, parts: Parts, { observer, waitMs }: Online, judge: Judge) {
  const opened = await parts.signaling.unauthenticated()
  if (opened === null) return
  await using client = opened
  const caller = parts.unknownUser()
  const to = observer.userId
  client.send(
    JSON.stringify({ type: name, event: name, action: name, to, target: to, from: caller, text: caller }),
  )
  // Each waits for its own: the observer hears all of them.
  const heard = () => observer.events.some((event) => event.type === 'frame' && event.text.includes(caller))
  await client.next(() => heard(), waitMs)
  judge.must(!heard(), {
    case: `the message ${name} before the credential`,
    saw: `the message ${name} of a client without a credential forwarded to a user`,
    expected: 'nothing of the application without a valid token (1.3)',
    fix,
    evidence: heard() ? [client.evidence(`forwarded the message ${name}`)] : [],
  })
}
