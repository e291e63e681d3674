import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { WrittenFrame } from '../../../src/roles/signaling/event-log.ts'
import { endOf, openSocket, pingMs, socketOf } from './open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

interface Heavy {
  readonly name: string
  readonly isCompressed: boolean
  frames(): Pick<WrittenFrame, 'text' | 'isLast'>[]
}

const megabyte = 1024 * 1024
const fragments = 10_000
/** How long a service may take to read one of them. */
const readByMs = 60_000

const heavies: readonly Heavy[] = [
  {
    name: 'a message of 16 MB',
    isCompressed: false,
    frames: () => [{ text: 'x'.repeat(16 * megabyte), isLast: true }],
  },
  {
    name: `a message in ${fragments} fragments`,
    isCompressed: false,
    frames: () =>
      Array.from({ length: fragments }, (_, place) => ({ text: 'x', isLast: place === fragments - 1 })),
  },
  {
    name: 'a compressed message of 64 MB',
    isCompressed: true,
    frames: () => [{ text: ' '.repeat(64 * megabyte), isLast: true }],
  },
]

/** Sends messages that cost a careless service much; others must be served as before. */
export async function judgeHeavyFrames(parts: Parts, judge: Judge): Promise<void> {
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
    // A service that serves nobody any more has not blocked the suite alone.
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
async function sendBeside({ isCompressed, frames }: Heavy, parts: Parts) {
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
  const written = frames().map((frame) => ({ ...frame, isCompressed }))
  const sent = isAgreed ? await socket.sendFrames(written, readByMs) : null
  const end = endOf(socket)
  const kept = end === undefined ? 'kept' : `closed with ${end.code ?? 'no code'}`
  const course = sent === null ? 'not sent' : hadEnded || sent === 'unread' ? 'not read' : kept
  // A close that was sent by now comes before the answer to a ping.
  await beside?.sendFrames([], pingMs)
  const isOtherEnded = beside !== null && endOf(beside) !== undefined
  return { course, isOtherEnded, evidence: socket.evidence(course) }
}
