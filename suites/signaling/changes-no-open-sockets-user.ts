import { defineCheck } from '../../src/requirement/define.ts'
import { findOwnUserPaths, namesUser } from '../../src/roles/signaling/named-user.ts'
import { judgeEarlyFrames } from './lib/early-frames.ts'
import { judgeHeavyFrames } from './lib/heavy-frames.ts'
import { judgeIdleConnections } from './lib/idle-connections.ts'
import { joinFresh, openSocket } from './lib/open-socket.ts'
import { judgeSecondCredentials, readUsualEvents, type Usual } from './lib/second-credential.ts'

/** An answer to a message is waited for by so many times the usual time to join, and for so long at least. */
const timesUsual = 5
const leastMs = 1_000

export default defineCheck({
  id: 'SIG-36',
  role: 'signaling',
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
      'Runs behind the ordinary requirements on signaling, and beside no other on it.',
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
    const { callingTokens } = parts
    const online = await callingTokens.fresh()
    await using observer = Object.assign(await openSocket(parts, online), { userId: online.userId })
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
