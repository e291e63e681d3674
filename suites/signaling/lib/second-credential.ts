import { forged, forUser, madeUp, type Original, takenApart } from '../../../src/base/tokens/forge.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { FreshToken } from '../../../src/roles/backend/calling-tokens.ts'
import type { Accepted, OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import { isEnd, type SignalingEvent } from '../../../src/roles/signaling/event-log.ts'
import { frameLeaves } from '../../../src/roles/signaling/frame-leaves.ts'
import { namesUser } from '../../../src/roles/signaling/named-user.ts'
import { type EventForm, guessMessages, readEvent } from './guessed-message.ts'
import { openSocket } from './open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** Ordinary clients that were observed before: they show where frames name users, and how long answers take. */
export interface Usual {
  /** Paths of the frames that name the own user. */
  readonly paths: readonly string[]
  /** How the service states events, and the names of those that an ordinary client is sent. */
  readonly events: { readonly form: EventForm | null; readonly names: ReadonlySet<string> }
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

/** A socket that is open answers a ping as soon as it has read it. */
const pingMs = 5_000

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
  if (usual.isAnnounced && (await usual.observer?.sendFrames([], pingMs)) === 'unread')
    judge.untested('the user who listens answered no ping in time, so that announcements may have come later')
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
  /** The service was too slow for its silence to say something. */
  readonly isLate: boolean
  readonly isRejected: boolean
  readonly isTaken: boolean
  readonly evidence: () => string
}

async function trySecond(claimed: Claimed, own: FreshToken, parts: Parts, usual: Usual): Promise<SecondTry> {
  const { signaling } = parts
  await using socket = await openSocket(parts, own)
  const from = socket.events.length
  const after = () => socket.events.slice(from)
  const messages = () => after().flatMap(({ type, text }) => (type === 'sent' ? [text] : []))
  const isTaken = (event: SignalingEvent) =>
    namesAsOwn(event, claimed.target, usual, parts) && !isForwarded(event, messages())
  const isRejection = (event: SignalingEvent) => signaling.signOf(event) === 'failure' || isEnd(event)
  const answer = () => socket.next((event) => isTaken(event) || isRejection(event), usual.waitMs)
  // A service of events ignores those that it does not know, and may end a socket that sends its opening message twice.
  const isGuessed = usual.events.form !== null && guess(socket, claimed, parts, usual)
  if (isGuessed) await socket.next((event) => isTaken(event) || isEnd(event), usual.waitMs)
  const isOver = after().some((event) => isTaken(event) || isEnd(event))
  const sent = isOver ? 'as a guess' : sendAgain(socket, claimed, parts, usual, isGuessed)
  if (!isOver) await answer()
  const wasSilent = !after().some((event) => isTaken(event) || isRejection(event))
  // An answer that was sent before the ping comes before its answer.
  const isLate = wasSilent && (await socket.sendFrames([], pingMs)) === 'unread'
  return {
    ...claimed,
    sent,
    messages: messages(),
    isLate,
    isRejected: after().some(isRejection),
    isTaken: after().some(isTaken),
    evidence: () => socket.evidence(`was sent ${claimed.what} on an open socket`),
  }
}

/** The profile may name no message for credentials: then a message is guessed from the fields of the service's frames. */
function sendAgain(
  socket: OpenSocket,
  claimed: Claimed,
  parts: Parts,
  usual: Usual,
  isGuessed: boolean,
): Sent {
  if (parts.signaling.sendAgain(socket, { token: claimed.token, declaredUser: claimed.target }))
    return 'in protocol'
  return isGuessed || guess(socket, claimed, parts, usual) ? 'as a guess' : 'not at all'
}

function guess(
  socket: OpenSocket,
  claimed: Claimed,
  { signaling }: Parts,
  { paths, events }: Usual,
): boolean {
  const { access } = signaling.configuration
  if (access === undefined || !('profile' in access) || access.profile.binary !== undefined) return false
  const { declaredUser } = access.profile
  const messages = guessMessages(claimed, { paths, eventForm: events.form, declaredUser })
  return messages.map((message) => socket.send(message)).some((isSent) => isSent)
}

/** The events that ordinary clients are sent. */
export function readUsualEvents(joined: readonly Accepted[]): Usual['events'] {
  const events = joined.flatMap(({ events }) =>
    events.flatMap(({ type, text }) => (type === 'frame' ? (readEvent(text) ?? []) : [])),
  )
  return { form: events[0]?.form ?? null, names: new Set(events.map(({ name }) => name)) }
}

/** A success sign, or an event of those on joining, that names the user where ordinary clients are told who they are. */
function namesAsOwn(
  event: SignalingEvent,
  userId: string,
  { paths, events }: Usual,
  { signaling }: Parts,
): boolean {
  if (event.type !== 'frame') return false
  const name = readEvent(event.text)?.name
  if (signaling.signOf(event) !== 'success' && (name === undefined || !events.names.has(name))) return false
  return frameLeaves(event.text).some(({ path, value }) => value === userId && paths.includes(path))
}

/** A frame that names the user, and is not the message itself, which a relay forwards like every other. */
function isAnnouncement(event: SignalingEvent, { target, messages }: SecondTry): boolean {
  return namesUser({ events: [event] }, target) && !isForwarded(event, messages)
}

function isForwarded({ text }: SignalingEvent, messages: readonly string[]): boolean {
  const values = new Set(frameLeaves(text).map(({ value }) => value))
  return messages.some((message) => frameLeaves(message).every(({ value }) => values.has(value)))
}

function judgeTry(tried: SecondTry, { paths, observer, isAnnounced }: Usual, judge: Judge): void {
  const { what, sent, isTaken, isRejected, isLate } = tried
  const isTold = observer?.events.some((event) => isAnnouncement(event, tried)) === true
  if (isTaken || isTold)
    judge.must(false, {
      case: what,
      saw: `${what} sent on an open socket, and ${isTaken ? 'the client named as that user' : 'that user named to other clients'}`,
      expected: 'a rejection, or the user as before (1.3)',
      fix,
      evidence: [tried.evidence()],
    })
  else if (isLate) judge.untested(`signaling answered no ping in time after ${what} on an open socket`)
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
