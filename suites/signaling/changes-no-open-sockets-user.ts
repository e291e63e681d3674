import { Untested } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import { faultOfEvent } from '../../src/roles/signaling/event-log.ts'
import { findOwnUserPaths, namesUser } from '../../src/roles/signaling/named-user.ts'
import { judgeEarlyFrames } from './lib/early-frames.ts'
import { courseOf, endOf, joinFresh, openSocket, pingMs, socketOf } from './lib/open-socket.ts'
import { judgeSecondCredentials, readUsualEvents, type Usual } from './lib/second-credential.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** An answer to a message is waited for by so many times the usual time to join, and for so long at least. */
const timesUsual = 5
const leastMs = 1_000

export default defineCheck({
  id: 'SIG-36',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis: 'With the calling token the SDK proves that the client may join as a given userId (1.3).',
  standards: ['RFC 6455, 10.4', 'RFC 6455, 10.5', 'OWASP ASVS 5.0, 4.4.3', 'OWASP ASVS 5.0, 8.3.1'],
  title: "changes no open socket's user without that user's token",
  why: 'A credential is verified when a socket opens. A message that changes the user afterwards, or is read before, makes that verification worth nothing.',
  how: {
    does: [
      'On open sockets, sends a tampered and an unsigned token of another user, its own token with another user declared, and no token with another user declared; a user who is online hears who joins.',
      'Without a message for that, guesses one in the words of its frames; where none is rejected, the reason says so. In a protocol of events such as Socket.IO, or of invocations such as SignalR, sends usual ones as well.',
      'Opens sockets without a credential, and sends messages there that ask for users, or call one.',
      'Sends a message of 16 MB, one in 10,000 fragments, and one of 64 MB that is compressed to 64 kB, then joins as another user.',
      'With limits.idleConnections, holds that many sockets without a credential while a user joins.',
      'Records how a second, genuine token of another user is answered.',
    ],
    fails: [
      'A frame that names the other user as the own one, or to others as one who joined.',
      'A list of users for a client without a credential that asks for it, or its message forwarded to a user.',
    ],
    warns: [
      'A user named to a silent client without a credential.',
      'Other users who are not served after such a message, or whose sockets it ends twice.',
      'A user who is not served beside idle sockets.',
    ],
    untested: [
      'A message with another credential that is neither rejected nor answered, where no frame names the user.',
      'Idle sockets, where a limit by address rejects the user.',
    ],
  },
  mints: 23,
  needs: ['callingTokens', 'signaling'],
  stage: 'straining',
  async run(parts, judge) {
    await using observer = await parts.signaling.witness()
    const joined = [await joinFresh(parts), await joinFresh(parts)]
    const isOneUser = joined.some(({ userId }) => userId === observer.userId)
    const slowest = Math.max(...joined.map(({ made }) => made.decidedAt - made.startedAt))
    const waitMs = Math.max(leastMs, timesUsual * slowest)
    const usual: Usual = {
      paths: findOwnUserPaths(joined),
      events: readUsualEvents(joined.map(({ made }) => made)),
      // A second device of one user may end the first.
      observer: isOneUser ? null : observer,
      isAnnounced: !isOneUser && joined.every(({ userId }) => namesUser(observer, userId)),
      waitMs,
    }
    await judgeSecondCredentials(parts, usual, judge)
    await judgeEarlyFrames(parts, { observer, waitMs }, judge)
    await judgeHeavyFrames(parts, judge)
    await judgeIdleConnections(parts, judge)
  },
})

/** How long a service may take to read one of them. */
const readByMs = 60_000
const megabyte = 1024 * 1024

const heavies = [
  { name: 'a message of 16 MB', fragments: 1, characters: 16 * megabyte, isCompressed: false },
  { name: 'a message in 10000 fragments', fragments: 10_000, characters: 1, isCompressed: false },
  { name: 'a compressed message of 64 MB', fragments: 1, characters: 64 * megabyte, isCompressed: true },
]

/** Sends messages that cost a careless service much; others must be served as before. */
async function judgeHeavyFrames(parts: Parts, judge: Judge): Promise<void> {
  const { callingTokens, signaling } = parts
  const seen: Record<string, string> = {}
  for (const heavy of heavies) {
    const { name } = heavy
    const first = await sendBeside(heavy, parts)
    seen[name] = first.course
    if (first.course === 'not sent') continue
    if (first.course === 'not read')
      judge.untested(`${name} was not read within ${readByMs / 1000} s, or its socket had ended before`)
    const next = await signaling.join(await callingTokens.fresh())
    // A service that serves no client any more has not blocked the suite alone.
    const seconds = next.outcome === 'accepted' ? 0 : await signaling.outlastBan().catch(() => null)
    const isLimit = next.outcome === 'refused' && next.unreachable === true && seconds === 0
    if (isLimit) judge.untested(`signaling ${next.summary} after ${name}: a limit hides how others fare`)
    const isServed = judge.advisory(seconds === 0, {
      case: name,
      saw: `no client served ${seconds === null ? 'any more' : `for ${seconds} s`} after ${name} of one user`,
      expected: 'service for all others',
      fix: 'Limit the size of messages, after decompression and over all fragments, before memory is taken for them.',
      evidence: [first.evidence, next.exchange],
    })
    if (!isServed) break
    // A restart or a broken network ends other sockets as well, and not twice.
    const again = first.isOtherEnded ? await sendBeside(heavy, parts) : first
    judge.advisory(!again.isOtherEnded, {
      case: name,
      saw: `another user's socket ended, twice, after ${name} of one user`,
      expected: 'sockets of other users that stay open',
      fix: 'Limit the size of messages, after decompression and over all fragments, and end only the socket that exceeds it.',
      evidence: [again.evidence],
    })
  }
  judge.observe('signaling.heavyMessages', seen)
}

/** Sends it on a socket, and says how that went on, and whether the socket of another user ended. */
async function sendBeside({ fragments, characters, isCompressed }: (typeof heavies)[number], parts: Parts) {
  const { callingTokens, signaling } = parts
  const [sender, other] = [await callingTokens.fresh(), await callingTokens.fresh()]
  // A service that lets each user have one connection ends the first for the second.
  await using beside = sender.userId === other.userId ? null : await openSocket(parts, other)
  const made = await signaling.hold({
    token: sender.jwt,
    declaredUser: sender.userId,
    offersCompression: isCompressed,
  })
  await using socket = socketOf(made)
  const hadEnded = endOf(socket) !== undefined
  const isAgreed = !isCompressed || socket.isCompressed
  const frames = Array.from({ length: fragments }, (_, place) => ({
    text: ' '.repeat(characters),
    isLast: place === fragments - 1,
    isCompressed,
  }))
  const sent = isAgreed ? await socket.sendFrames(frames, readByMs) : null
  const course = sent === null ? 'not sent' : hadEnded || sent === 'unread' ? 'not read' : courseOf(socket)
  // A close that was sent by now comes before the answer to a ping.
  await beside?.sendFrames([], pingMs)
  const isOtherEnded = beside !== null && endOf(beside) !== undefined
  return { course, isOtherEnded, evidence: socket.evidence(course) }
}

/** So many connect at a time. */
const atOnce = 25

/** Lets a user join while many clients hold connections without a credential; only where `limits.idleConnections` asks for it. */
async function judgeIdleConnections(
  { callingTokens, configuration, signaling }: Parts,
  judge: Judge,
): Promise<void> {
  const { idleConnections } = configuration.limits
  if (idleConnections === undefined)
    return judge.observe('signaling.idleConnections', 'none opened; limits.idleConnections asks for them')
  await using stack = new AsyncDisposableStack()
  let opened = 0
  for (let begun = 0; begun < idleConnections; begun += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, idleConnections - begun) })
    const clients = await Promise.all(some.map(() => signaling.unauthenticated()))
    const held = clients.filter((client) => typeof client !== 'string')
    for (const client of held) stack.use(client)
    opened += held.length
    if (opened === 0 && clients.includes('silent'))
      return judge.untested('no socket without a credential could be opened: signaling stayed silent')
    // Where none is let in, more would only knock.
    if (held.length === 0) break
  }
  const made = await signaling.join(await callingTokens.fresh())
  judge.observe('signaling.idleConnections', `${opened} open, a user ${made.outcome}`)
  const last = made.events.at(-1)
  const isFault = last !== undefined && last.type !== 'timeout' && faultOfEvent(last) !== null
  if (made.outcome === 'refused' && (made.unreachable === true || isFault))
    throw new Untested(
      `signaling ${made.summary} beside ${opened} connections of this address: a limit by address hides how others fare`,
    )
  judge.advisory(made.outcome === 'accepted', {
    case: 'idle connections',
    saw: `no user served beside ${opened} connections without a credential: signaling ${made.summary}`,
    expected: 'an accepted token',
    fix: 'Close connections that send no credential within seconds, and limit how many one address may have.',
    evidence: [made.exchange],
  })
}
