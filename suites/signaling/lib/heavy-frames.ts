import { ControlLost } from '../../../src/base/inconclusive.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Attempt, OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import type { SentFrames, SignalingEvent, WrittenFrame } from '../../../src/roles/signaling/event-log.ts'
import { openSocket, socketOf } from './open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

interface Heavy {
  readonly name: string
  readonly needsCompression?: true
  frames(): WrittenFrame[]
}

const megabyte = 1024 * 1024
const fragments = 10_000
/** How long a service may take to read one of them. */
const readByMs = 60_000

const heavies: readonly Heavy[] = [
  {
    name: 'a message of 16 MB',
    frames: () => [{ text: 'x'.repeat(16 * megabyte), isLast: true, isCompressed: false }],
  },
  {
    name: `a message in ${fragments} fragments`,
    frames: () =>
      Array.from({ length: fragments }, (_, place) => ({
        text: 'x',
        isLast: place === fragments - 1,
        isCompressed: false,
      })),
  },
  {
    name: 'a compressed message of 64 MB',
    needsCompression: true,
    frames: () => [{ text: ' '.repeat(64 * megabyte), isLast: true, isCompressed: true }],
  },
]

/** Sends messages that cost a careless service much; others must be served as before. */
export async function judgeHeavyFrames(parts: Parts, judge: Judge): Promise<void> {
  const seen: Record<string, string> = {}
  for (const heavy of heavies) {
    const met = await sendBeside(heavy, parts)
    seen[heavy.name] = met.course
    if (met.course === 'not sent') continue
    if (met.course === 'not read')
      judge.untested(`${heavy.name} was not read within ${readByMs / 1000} s, or its socket had ended before`)
    // A restart or a broken network ends other sockets as well, and not twice.
    const again = met.isOtherEnded && met.recoveredAfter !== null ? await sendBeside(heavy, parts) : met
    const isServed = judgeServed(heavy, again, judge)
    judge.advisory(!again.isOtherEnded || !isServed, {
      case: heavy.name,
      saw: `another user's socket ended, twice, after ${heavy.name} of one user`,
      expected: 'sockets of other users that stay open',
      fix: 'Limit the size of messages, after decompression and over all fragments, and end only the socket that exceeds it.',
      evidence: [again.evidence],
    })
    if (!isServed) break
  }
  judge.observe('signaling.heavyMessages', seen)
}

interface Met {
  /** How the socket that sent it went on. */
  readonly course: string
  readonly isOtherEnded: boolean
  /** The next client. */
  readonly next: Attempt
  /** Seconds until a client was served, where the next was not; null where none was. */
  readonly recoveredAfter: number | null
  readonly evidence: string
}

async function sendBeside(heavy: Heavy, parts: Parts): Promise<Met> {
  const { callingTokens, signaling } = parts
  const [sender, other] = [await callingTokens.fresh(), await callingTokens.fresh()]
  // A service that lets each user have one connection ends the first for the second.
  await using beside = sender.userId === other.userId ? null : await openSocket(parts, other)
  const made = await signaling.hold({
    token: sender.jwt,
    declaredUser: sender.userId,
    offersCompression: heavy.needsCompression === true,
  })
  await using socket = socketOf(made)
  const isAgreed = heavy.needsCompression !== true || socket.isCompressed
  const hadEnded = endOf(socket) !== null
  const sent = isAgreed ? await socket.sendFrames(heavy.frames(), readByMs) : null
  const isSent = sent !== null
  const course = isSent && (hadEnded || sent === 'unread') ? 'not read' : courseOf(sent, endOf(socket))
  const next = isSent ? await signaling.join(await callingTokens.fresh()) : made
  const recoveredAfter = next.outcome === 'accepted' ? 0 : await signaling.outlastBan().catch(whenLost)
  const isOtherEnded = beside !== null && endOf(beside) !== null
  return { course, isOtherEnded, next, recoveredAfter, evidence: socket.evidence(course) }
}

function courseOf(sent: SentFrames | null, end: SignalingEvent | null): string {
  if (sent === null) return 'not sent'
  return end === null ? 'kept' : `closed with ${end.code ?? 'no code'}`
}

/** A service that serves nobody any more has not blocked the suite alone. */
function whenLost(error: unknown): null {
  if (error instanceof ControlLost) return null
  throw error
}

function endOf({ events }: OpenSocket): SignalingEvent | null {
  return events.find(({ type }) => type === 'close' || type === 'error') ?? null
}

function judgeServed({ name }: Heavy, { next, recoveredAfter, evidence }: Met, judge: Judge): boolean {
  if (next.outcome === 'refused' && next.unreachable === true && recoveredAfter === 0) {
    judge.untested(`signaling ${next.summary} after ${name}: a limit hides how others fare`)
    return true
  }
  return judge.advisory(recoveredAfter === 0, {
    case: name,
    saw: `no client served ${recoveredAfter === null ? 'any more' : `for ${recoveredAfter} s`} after ${name} of one user`,
    expected: 'service for all others',
    fix: 'Limit the size of messages, after decompression and over all fragments, before memory is taken for them.',
    evidence: [evidence, next.exchange],
  })
}
