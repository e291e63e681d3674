import { forged, forUser, madeUp, type Original, takenApart } from '../../../src/base/tokens/forge.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { FreshToken } from '../../../src/roles/backend/calling-tokens.ts'
import type { OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import { isEnd, type SignalingEvent } from '../../../src/roles/signaling/event-log.ts'
import { frameLeaves } from '../../../src/roles/signaling/frame-leaves.ts'
import { guessMessage } from './guessed-message.ts'
import { namesUser } from './named-user.ts'
import { openSocket } from './open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** Ordinary clients that were observed before: they show where frames name users, and how long answers take. */
export interface Usual {
  /** Paths of the frames that name the own user. */
  readonly paths: readonly string[]
  /** A client that stays online; null where it cannot be distinguished from the others. */
  readonly observer: (OpenSocket & { readonly userId: string }) | null
  /** The observer is sent frames about others that join. */
  readonly isAnnounced: boolean
  /** How long an answer is waited for. */
  readonly waitMs: number
}

interface Claimed {
  readonly what: string
  readonly token: string | null
  /** A user who has no token here. */
  readonly target: string
}

const onlyGuessed =
  'the message that takes another credential on an open socket was guessed, and not answered: if signaling has one, write it as signaling.profile.again'

const fix =
  'Bind a socket to the user of the token that opened it; take another user only with a token that is verified like the first.'

/** Sends, on open sockets, credentials for users whose token the client does not have. */
export async function judgeSecondCredentials(parts: Parts, usual: Usual, judge: Judge): Promise<void> {
  const { callingTokens } = parts
  const tokens: FreshToken[] = []
  while (tokens.length < forms.length) tokens.push(await callingTokens.fresh())
  const isOneUser = new Set(tokens.map(({ userId }) => userId)).size < tokens.length
  const tried: SecondTry[] = []
  const attempts = tokens.map((token, place) => async () => {
    const form = forms[place]
    if (form !== undefined) tried.push(await trySecond(form(token, parts.unknownUser()), token, parts, usual))
  })
  // A service may let each user have one connection.
  if (isOneUser) for (const attempt of attempts) await attempt()
  else await Promise.all(attempts.map((attempt) => attempt()))
  // Others are told of a user late, or when the socket that became theirs has ended.
  await usual.observer?.next((event) => tried.some((one) => isAnnouncement(event, one)), usual.waitMs)
  for (const one of tried) judgeTry(one, usual, judge)
  if (tried.some(({ sent, isRejected }) => sent === 'as a guess' && !isRejected)) judge.remark(onlyGuessed)
}

type Form = (token: FreshToken, target: string) => Claimed

const forms: readonly Form[] = [
  (token, target) => ({
    what: "a tampered token with another user's id",
    token: forgedFor(token, target),
    target,
  }),
  (token, target) => ({
    what: 'an unsigned token of another user',
    token: forgedFor(token, target, { alg: 'none' }),
    target,
  }),
  ({ jwt }, target) => ({ what: 'its own token with another user declared', token: jwt, target }),
  (_, target) => ({ what: 'no token with another user declared', token: null, target }),
]

function partsOf({ jwt, userId }: FreshToken): Original {
  return takenApart(jwt, userId) ?? madeUp(userId, Math.floor(Date.now() / 1000))
}

/** The token with another user's id, and without a signature where there is no algorithm. */
function forgedFor(token: FreshToken, target: string, header?: { readonly alg: 'none' }): string {
  const original = partsOf(token)
  const payload = forUser(original, target)
  return header === undefined
    ? forged(original, { payload })
    : forged(original, { payload, header }, new Uint8Array())
}

/** How a credential went out: by the protocol's message, by one that the protocol may not have, or not at all. */
type Sent = 'in protocol' | 'as a guess' | 'not at all'

interface SecondTry extends Claimed {
  readonly sent: Sent
  /** The messages that went out. */
  readonly messages: readonly string[]
  readonly isRejected: boolean
  readonly isTaken: boolean
  readonly evidence: () => string
}

async function trySecond(claimed: Claimed, own: FreshToken, parts: Parts, usual: Usual): Promise<SecondTry> {
  const { signaling } = parts
  await using socket = await openSocket(parts, own)
  const from = socket.events.length
  const sent = sendAgain(socket, claimed, parts, usual)
  const isTaken = (event: SignalingEvent) => namesAsOwn(event, claimed.target, usual, parts)
  const isRejection = (event: SignalingEvent) => signaling.signOf(event) === 'failure' || isEnd(event)
  await socket.next((event) => isTaken(event) || isRejection(event), usual.waitMs)
  const after = socket.events.slice(from)
  return {
    ...claimed,
    sent,
    messages: after.flatMap(({ type, text }) => (type === 'sent' ? [text] : [])),
    isRejected: after.some(isRejection),
    isTaken: after.some(isTaken),
    evidence: () => socket.evidence(`was sent ${claimed.what} on an open socket`),
  }
}

/** The profile may name no message for credentials: then a message is guessed from the fields of the service's frames. */
function sendAgain(
  socket: OpenSocket,
  { token, target }: Claimed,
  { signaling }: Parts,
  { paths }: Usual,
): Sent {
  if (signaling.sendAgain(socket, { token, declaredUser: target })) return 'in protocol'
  const { access } = signaling.configuration
  if (access === undefined || !('profile' in access) || access.profile.binary !== undefined)
    return 'not at all'
  const message = guessMessage({ token, target }, { paths, declaredUser: access.profile.declaredUser })
  return socket.send(message) ? 'as a guess' : 'not at all'
}

/** A success sign that names the user where ordinary clients are told who they are. */
function namesAsOwn(event: SignalingEvent, userId: string, { paths }: Usual, { signaling }: Parts): boolean {
  if (event.type !== 'frame' || signaling.signOf(event) !== 'success') return false
  return frameLeaves(event.text).some(({ path, value }) => value === userId && paths.includes(path))
}

/** A frame that names the user, and is not the message itself, which a relay forwards like every other. */
function isAnnouncement(event: SignalingEvent, { target, messages }: SecondTry): boolean {
  if (!namesUser({ events: [event] }, target)) return false
  const values = new Set(frameLeaves(event.text).map(({ value }) => value))
  return !messages.some((text) => frameLeaves(text).every(({ value }) => values.has(value)))
}

function judgeTry(tried: SecondTry, { paths, observer, isAnnounced }: Usual, judge: Judge): void {
  const { what, sent, isTaken, isRejected } = tried
  const isTold = observer?.events.some((event) => isAnnouncement(event, tried)) === true
  if (isTaken || isTold)
    judge.must(false, {
      case: what,
      saw: `${what} sent on an open socket, and ${isTaken ? 'the client named as that user' : 'that user named to other clients'}`,
      expected: 'a rejection, or the user as before (1.3)',
      fix,
      evidence: [tried.evidence()],
    })
  else if (sent === 'not at all') judge.onlyObserved('no message can be sent on an open socket')
  else if (isRejected || paths.length > 0 || isAnnounced) judge.passed()
  else if (sent === 'as a guess') judge.onlyObserved('no frame names the user of an open socket')
  else
    judge.untested(
      `${what} on an open socket was not rejected, and no frame names the user of an open socket: let the frame that says success name the user`,
    )
}

/** Records how a genuine token of another user is answered on an open socket: it may replace the user. */
export async function recordSecondToken(parts: Parts, usual: Usual, judge: Judge): Promise<void> {
  const [own, other] = [await parts.callingTokens.fresh(), await parts.callingTokens.fresh()]
  await using socket = await openSocket(parts, own)
  const from = socket.events.length
  const sent = parts.signaling.sendAgain(socket, { token: other.jwt, declaredUser: other.userId })
  if (!sent) return
  await socket.next((event) => event.type === 'frame' || isEnd(event), usual.waitMs)
  const after = socket.events.slice(from).filter(({ type }) => type !== 'sent')
  const isTaken = after.some((event) => namesAsOwn(event, other.userId, usual, parts))
  const end = after.find(isEnd)
  const answered = after.length === 0 ? 'ignored' : 'answered'
  judge.observe(
    'signaling.secondToken',
    isTaken ? 'another user' : end === undefined ? answered : `closed with ${end.code ?? 'no code'}`,
  )
}
