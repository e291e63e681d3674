import { isRecord } from '../../../src/base/tokens/decode.ts'
import { forged, forUser, madeUp, takenApart } from '../../../src/base/tokens/forge.ts'
import { attack, type Case, type Met } from '../../../src/requirement/attack.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { FreshToken } from '../../../src/roles/backend/calling-tokens.ts'
import type { Accepted, OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import { isEnd, type SignalingEvent } from '../../../src/roles/signaling/event-log.ts'
import { frameLeaves, splitEmbeddedJson } from '../../../src/roles/signaling/frame-leaves.ts'
import { namesUser } from '../../../src/roles/signaling/named-user.ts'
import { profileOf } from '../../lib/profile-of.ts'
import { userParameters } from './gateway-headers.ts'
import { openSocket, pingMs } from './open-socket.ts'

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
  readonly waitMs: number
}

/** A credential for another user than that of the token which the client has. */
interface Claim extends Case {
  /** Undefined where the client has a genuine token of the other user, which may replace its own. */
  readonly token?: (own: FreshToken, target: string) => string | null
}

interface Outcome extends Met {
  /** How the credential went out: by the protocol's message, by one that the protocol may not have, or not at all. */
  readonly sent: 'in protocol' | 'as a guess' | 'not at all'
  readonly isRejected: boolean
  readonly saw: string | null
}

const claims: readonly Claim[] = [
  { name: "a tampered token with another user's id", token: (own, target) => forgedFor(own, target) },
  { name: 'an unsigned token of another user', token: (own, target) => forgedFor(own, target, 'none') },
  { name: 'its own token with another user declared', token: ({ jwt }) => jwt },
  { name: 'no token with another user declared', token: () => null },
  { name: 'a genuine token of another user' },
]

/** The token with another user's id, and without a signature where there is no algorithm. */
function forgedFor({ jwt, userId }: FreshToken, target: string, alg?: 'none'): string {
  const original = takenApart(jwt, userId) ?? madeUp(userId, Math.floor(Date.now() / 1000))
  const payload = forUser(original, target)
  return alg === undefined
    ? forged(original, { payload })
    : forged(original, { payload, header: { alg } }, new Uint8Array())
}

const onlyGuessed =
  'the message that takes another credential on an open socket was guessed, and not answered: if signaling has one, write it as signaling.profile.again'

/** Sends, on open sockets, credentials for users whose token the client does not have. */
export async function judgeSecondCredentials(parts: Parts, usual: Usual, judge: Judge): Promise<void> {
  await attack<Claim, Outcome>(judge, {
    control: parts.signaling.control,
    cases: claims,
    of: 'on an open socket, after',
    // A service may let each user have one connection.
    together: usual.observer === null ? false : claims.length,
    send: (claim) => sendSecond(claim, parts, usual),
    breaches: {
      level: 'must',
      saw: ({ saw }, { token }) => (token === undefined ? null : saw),
      expected: 'a rejection, or the user as before (1.3)',
      fix: 'Bind a socket to the user of the token that opened it; take another user only with a token that is verified like the first.',
    },
    async judgeAll(tried) {
      const { observer, isAnnounced } = usual
      if (isAnnounced && (await observer?.sendFrames([], pingMs)) === 'unread')
        judge.untested(
          'the user who listens answered no ping in time, so that announcements may have come later',
        )
      const genuine = tried.find(({ one }) => one.token === undefined)?.seen
      const isTaken = genuine?.saw != null
      const course = isTaken ? 'another user' : genuine?.isRejected === true ? 'rejected' : 'ignored'
      if (genuine?.sent === 'in protocol') judge.observe('signaling.secondToken', course)
      const open = tried.filter(({ one, seen }) => one.token && !seen.isRejected && seen.saw === null)
      const isNamed = usual.paths.length > 0 || usual.isAnnounced
      if (open.some(({ seen }) => seen.sent === 'not at all'))
        judge.onlyObserved('no message can be sent on an open socket')
      if (!open.some(({ seen }) => seen.sent === 'as a guess')) return
      judge.remark(onlyGuessed)
      if (!isNamed) judge.onlyObserved('no frame names the user of an open socket')
    },
  })
}

async function sendSecond(claim: Claim, parts: Parts, usual: Usual): Promise<Outcome> {
  const { signaling, callingTokens } = parts
  const { observer, waitMs } = usual
  const own = await callingTokens.fresh()
  const genuine = claim.token === undefined ? await callingTokens.fresh() : null
  const target = genuine?.userId ?? parts.unknownUser()
  const token = genuine?.jwt ?? claim.token?.(own, target) ?? null
  const socket = await openSocket(parts, own)
  const from = socket.events.length
  const after = () => socket.events.slice(from)
  const isOther = (event: SignalingEvent) => !isForwarded(event, after())
  const isTaken = (event: SignalingEvent) => namesAsOwn(event, target, usual, parts) && isOther(event)
  const isRejection = (event: SignalingEvent) => signaling.signOf(event) === 'failure' || isEnd(event)
  const guess = () => guessMessages(token, target, usual, signaling).map(socket.send).some(Boolean)
  // A service of events ignores those that it does not know, and may end a socket that sends its opening message twice.
  const isGuessed = usual.events.form !== null && guess()
  if (isGuessed) await socket.next((event) => isTaken(event) || isEnd(event), waitMs)
  const isOver = after().some((event) => isTaken(event) || isEnd(event))
  const isSent = !isOver && signaling.sendAgain(socket, { token, declaredUser: target })
  const sent = isSent ? 'in protocol' : isGuessed || guess() ? 'as a guess' : 'not at all'
  if (!isOver) await socket.next((event) => isTaken(event) || isRejection(event), waitMs)
  const isSilent = !after().some((event) => isTaken(event) || isRejection(event))
  // An answer that was sent before the ping comes before its answer.
  const isLate = isSilent && (await socket.sendFrames([], pingMs)) === 'unread'
  const isRejected = after().some(isRejection)
  const evidence = [socket.evidence(`was sent ${claim.name} on an open socket`)]
  await socket[Symbol.asyncDispose]()
  // Others are told of a user late, or when the socket that became theirs has ended.
  const isTold = (event: SignalingEvent) => namesUser({ events: [event] }, target) && isOther(event)
  const told = (await observer?.next(isTold, waitMs)) && 'that user named to other clients'
  const saw = after().some(isTaken) ? 'the client named as that user' : (told ?? null)
  const isNamed = usual.paths.length > 0 || usual.isAnnounced
  const unseen =
    saw !== null || genuine !== null
      ? null
      : isLate
        ? 'a ping was not answered in time'
        : sent === 'in protocol' && !isRejected && !isNamed
          ? 'no rejection, and no frame that names the user (let the one that says success do so)'
          : null
  return { sent, isRejected, saw, unseen, isUndecided: false, evidence }
}

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

/** A relay forwards the message that the client has sent itself like every other. */
function isForwarded({ text }: SignalingEvent, events: readonly SignalingEvent[]): boolean {
  const values = new Set(frameLeaves(text).map(({ value }) => value))
  return events.some(
    (event) => event.type === 'sent' && frameLeaves(event.text).every(({ value }) => values.has(value)),
  )
}

/** Fields in which protocols state the kind of a message. */
const kinds = ['type', 'event', 'op', 'action', 'cmd']

/** Names under which protocols of events take a credential: `42["auth",{…}]`. */
const eventNames = 'auth authenticate authorize login identify register join refresh token'.split(' ')

/** Ends each message of SignalR. */
const separator = '\u001e'

/** A protocol states events behind a text, as Socket.IO does, or as invocations of SignalR. */
type EventForm = { readonly prefix: string } | 'invocations'

/** The event that a frame of such a protocol states; null for any other frame. */
function readEvent(text: string): { readonly form: EventForm; readonly name: string } | null {
  if (text.endsWith(separator)) {
    const messages = text.split(separator).map((message) => splitEmbeddedJson(message)?.json)
    const calls = messages.filter(isRecord)
    // The first method that the service calls; an empty name where a frame of SignalR calls none.
    const name = calls.map(({ target }) => target).find((target) => typeof target === 'string') ?? ''
    return calls.length === 0 ? null : { form: 'invocations', name }
  }
  const { prefix = '', json } = splitEmbeddedJson(text) ?? {}
  return prefix !== '' && Array.isArray(json) && typeof json[0] === 'string'
    ? { form: { prefix }, name: json[0] }
    : null
}

/** Messages that many services take for a credential; none where an adapter or bytes are sent. */
function guessMessages(
  token: string | null,
  target: string,
  { paths, events: { form } }: Usual,
  { configuration: { access } }: Parts['signaling'],
): readonly string[] {
  const profile = profileOf(access)
  if (profile === null || profile.binary !== undefined) return []
  const { declaredUser } = profile
  const declared = 'name' in declaredUser ? [declaredUser.name] : []
  const named = [...userParameters, ...declared, ...paths.flatMap((path) => path.split("'").at(-2) ?? [])]
  const fields = {
    ...Object.fromEntries(named.map((name) => [name, target])),
    ...Object.fromEntries(kinds.map((name) => [name, 'auth'])),
    token: token ?? '',
    jwt: token ?? '',
  }
  if (form === null) return [JSON.stringify(fields)]
  if (form === 'invocations') return eventNames.flatMap((name) => invoke(name, token, target, fields))
  return eventNames.map((name) => form.prefix + JSON.stringify([name, fields]))
}

/** Methods take a fixed number of arguments, in an order of their own. */
function invoke(name: string, token: string | null, target: string, fields: object): string[] {
  const lists = token === null ? [[target]] : [[token], [token, target], [target, token]]
  return [...lists, [fields]].map((list, place) => {
    const call = {
      type: 1,
      invocationId: `${name}-${place}`,
      target: name.charAt(0).toUpperCase() + name.slice(1),
      arguments: list,
    }
    return JSON.stringify(call) + separator
  })
}
