import { type Clock, setDeadline } from '../../base/clock.ts'
import { endingMs } from '../../base/times.ts'
import type { Accepted, Refused } from './attempt.ts'
import type { Connection } from './connection.ts'
import { faultOfEvent, isEnd, type SignalingEvent } from './event-log.ts'
import type { JoinRequest } from './join-request.ts'
import { codecOf } from './message-codec.ts'
import type { SignalingProfile } from './profile.ts'
import { describeMessageSign, type FailureSign, findSign, type SuccessSign } from './signs.ts'

type Unrecorded = 'exchange' | 'events' | 'startedAt'
/** How an attempt came out. */
type Decision = Omit<Accepted, Unrecorded | 'socket'> | Omit<Refused, Unrecorded>

/** Characters of frames without a sign by which a service floods: reading on would fill the memory with what it sends. */
const floodCharacters = 64 * 1024 * 1024
/** How an attempt ends that met a flood, as a clause that completes "signaling …". */
const floodClause = `sent more than ${floodCharacters / 1024 / 1024} MB without a sign of success or failure`

interface DecisionOptions {
  readonly profile: SignalingProfile
  readonly clock: Clock
  /** Without a sign of success by then the attempt is refused, whether the connection is open or not. */
  readonly deadlineMs: number
}

/**
 * Sends the messages once their cue has come and looks at the events in order, until one decides; an event that shows
 * both failure and success shows failure. A success is watched for `settleMs` more; a refusal for as long, unless what
 * reports it as unauthorized has come already. A close that has begun by then is waited for, since a busy machine ends
 * it late.
 */
export function decideOutcome(
  connection: Connection,
  join: JoinRequest,
  { profile, clock, deadlineMs }: DecisionOptions,
): Promise<Decision> {
  const { log } = connection
  const codec = codecOf(profile)
  const decision = Promise.withResolvers<Decision>()
  const { after, cancel: cancelDeadlines } = createDeadlines(clock)
  let settled: Decision | undefined
  let unauthorized = false
  let hasSent = false
  let heard = 0
  /** Showed a sign of success. */
  let welcomed: SignalingEvent | undefined

  const conclude = () => {
    stop()
    cancelDeadlines()
    if (settled !== undefined) decision.resolve({ ...settled, unauthorized })
  }

  const refuse = (event: SignalingEvent, sign: FailureSign | undefined) => {
    cancelDeadlines()
    const refused = refusedBy(event, sign)
    const before = settled === undefined ? '' : `${settled.summary}, then `
    settled = {
      ...refused,
      unauthorized,
      summary: before + refused.summary,
      unreachable: !connection.isReached(),
      welcome:
        welcomed &&
        log.events.slice(log.events.indexOf(welcomed)).filter((one) => one.type === 'frame' && one !== event),
    }
    if (isEnd(event) || unauthorized || profile.unauthorized.length === 0) conclude()
    else after(profile.settleMs, () => whenOpen(conclude))
  }

  const accept = (sign: SuccessSign) => {
    const shown =
      'quietOpenMs' in sign
        ? `open without a failure sign for ${sign.quietOpenMs} ms`
        : describeMessageSign(sign)
    const summary = `was accepted: ${shown}`
    cancelDeadlines()
    settled = { outcome: 'accepted', unauthorized, summary, decidedAt: clock.monotonic() }
    // On a busy machine a close that came in time may lie unread when the timer fires.
    after(profile.settleMs, () => setImmediate(() => whenOpen(conclude)))
  }

  const giveUp = () =>
    log.push({ type: 'timeout', text: describeSilence(connection, hasSent, log.events, deadlineMs) })

  /** Waits for a close that has begun: how it ends is what the service said. */
  const whenOpen = (act: () => void) => {
    if (connection.stage() === 'ending') after(endingMs, giveUp)
    else act()
  }

  const sendMessages = () => {
    hasSent = true
    for (const message of join.messages) connection.send(message)
    for (const sign of profile.success)
      if ('quietOpenMs' in sign)
        after(sign.quietOpenMs, () => whenOpen(() => settled === undefined && accept(sign)))
  }

  const handle = (event: SignalingEvent) => {
    unauthorized ||= findSign(profile.unauthorized, event, codec) !== undefined
    if (settled?.outcome === 'refused') {
      if (unauthorized || isEnd(event)) conclude()
      return
    }
    const failure = findSign(profile.failure, event, codec)
    if (failure !== undefined || isEnd(event)) return refuse(event, failure)
    if (settled !== undefined) return
    if (event.type === 'open') for (const message of join.opening) connection.send(message)
    const isCue =
      join.after === 'open' ? event.type === 'open' : findSign([join.after], event, codec) !== undefined
    if (!hasSent && isCue) sendMessages()
    const sign = findSign(profile.success, event, codec)
    if (sign === undefined) {
      if (event.type === 'frame') heard += event.text.length
      if (heard > floodCharacters) log.push({ type: 'timeout', text: floodClause })
      return
    }
    welcomed = event
    accept(sign)
  }

  const stop = log.listen(handle)
  after(deadlineMs, () => settled === undefined && whenOpen(giveUp))
  return decision.promise
}

function createDeadlines(clock: Clock) {
  const cancels: (() => void)[] = []
  return {
    after(delayMs: number, act: () => void) {
      cancels.push(setDeadline(clock, clock.monotonic() + delayMs, act))
    },
    cancel() {
      for (const cancel of cancels.splice(0)) cancel()
    },
  }
}

/** An attempt that the event has ended; the sign is that of the profile that the event shows. */
export function refusedBy(event: SignalingEvent, sign: FailureSign | undefined) {
  return {
    outcome: 'refused',
    named: sign !== undefined,
    undecided: sign === undefined && faultOfEvent(event) !== null,
    summary: describeRefusal(event, sign),
    decidedAt: event.at,
  } as const
}

/** How an attempt was refused, as a clause that completes "signaling …". */
function describeRefusal(event: SignalingEvent, sign: FailureSign | undefined): string {
  if (sign !== undefined && ('frame' in sign || 'text' in sign))
    return `answered with ${describeMessageSign(sign)}`
  if (event.type === 'http') return `answered ${event.code}`
  if (event.type !== 'close') return event.text
  return event.code === 1006 ? 'ended without a close frame' : `closed with ${event.code}`
}

function describeSilence(
  connection: Connection,
  hasSent: boolean,
  events: readonly SignalingEvent[],
  deadlineMs: number,
): string {
  const time = `${deadlineMs / 1000} s`
  if (connection.stage() === 'connecting') return `did not accept the connection within ${time}`
  if (connection.stage() === 'upgrading') return `did not answer the upgrade within ${time}`
  if (!hasSent) return `did not ask for the credential within ${time}`
  return events.some((event) => event.type === 'frame')
    ? `showed no sign of success within ${time}`
    : `stayed silent for ${time}`
}
