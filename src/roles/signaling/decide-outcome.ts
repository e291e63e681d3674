import type { Clock } from '../../base/clock.ts'
import { type Connection, endingMs } from './connection.ts'
import { alarm } from './deadline.ts'
import { isEnd, type SignalingEvent } from './event-log.ts'
import { frameShowing, signIn } from './match-sign.ts'
import type { Offer } from './offer.ts'
import type { FailureSign, MessageSign, SignalingProfile, SuccessSign } from './types.ts'

export interface Decision {
  readonly isAccepted: boolean
  /** The profile names the sign that decided. */
  readonly named: boolean
  /** Some event matched the profile's `unauthorized`. */
  readonly unauthorized: boolean
  readonly summary: string
  /** Nothing of the attempt reached the service. */
  readonly unreachable: boolean
  /** When the sign that decided came, in monotonic milliseconds; not when it was settled. */
  readonly decidedAt: number
}

export interface Terms {
  readonly profile: SignalingProfile
  readonly clock: Clock
  /** Without a sign of success by then the attempt is refused, however the connection stands. */
  readonly deadlineMs: number
}

/**
 * Says the offer's messages when their time has come and looks at the events in order, until one decides; an
 * event that shows both failure and success shows failure. A success is watched for `settleMs` more; a refusal for as long, where what reports it as unauthorized has not come yet.
 */
export function decide(connection: Connection, offer: Offer, terms: Terms): Promise<Decision> {
  const { profile, clock, deadlineMs } = terms
  const { log } = connection
  const decision = Promise.withResolvers<Decision>()
  const alarms: (() => void)[] = []
  let settled: Omit<Decision, 'unauthorized'> | undefined
  let unauthorized = false
  let isSaid = false

  const after = (delayMs: number, ring: () => void) =>
    alarms.push(alarm(clock, clock.monotonic() + delayMs, ring))

  const silenceAlarms = () => {
    for (const cancel of alarms.splice(0)) cancel()
  }

  const conclude = () => {
    stop()
    silenceAlarms()
    if (settled !== undefined) decision.resolve({ ...settled, unauthorized })
  }

  const refuse = (event: SignalingEvent, sign: FailureSign | undefined) => {
    silenceAlarms()
    const before = settled === undefined ? '' : `${settled.summary}, then `
    const summary = before + described(event, sign)
    const unreachable = !connection.isReached()
    settled = { isAccepted: false, named: sign !== undefined, summary, unreachable, decidedAt: event.at }
    if (isEnd(event) || unauthorized || profile.unauthorized.length === 0) conclude()
    else after(profile.settleMs, conclude)
  }

  const accept = (sign: SuccessSign) => {
    const summary = `was accepted: ${success(sign)}`
    silenceAlarms()
    settled = { isAccepted: true, named: true, summary, unreachable: false, decidedAt: clock.monotonic() }
    after(profile.settleMs, () => whenOpen(conclude))
  }

  const giveUp = () =>
    log.push({ type: 'timeout', text: silence(connection, isSaid, log.events, deadlineMs) })

  /** A close that has begun is awaited: how it ends is what the service said. */
  const whenOpen = (act: () => void) => {
    if (connection.stage() === 'ending') after(endingMs, giveUp)
    else act()
  }

  const say = () => {
    isSaid = true
    for (const message of offer.messages) connection.send(message)
    for (const sign of profile.success)
      if ('quietOpenMs' in sign)
        after(sign.quietOpenMs, () => whenOpen(() => settled === undefined && accept(sign)))
  }

  const hear = (event: SignalingEvent) => {
    unauthorized ||= signIn(profile.unauthorized, event) !== undefined
    if (settled?.isAccepted === false) {
      if (unauthorized || isEnd(event)) conclude()
      return
    }
    const failure = signIn(profile.failure, event)
    if (failure !== undefined || isEnd(event)) return refuse(event, failure)
    if (settled !== undefined) return
    if (!isSaid && isCue(offer.after, event)) say()
    const sign = signIn(profile.success, event)
    if (sign !== undefined) accept(sign)
  }

  const stop = log.listen(hear)
  after(deadlineMs, () => settled === undefined && whenOpen(giveUp))
  return decision.promise
}

function isCue(cue: 'open' | MessageSign, event: SignalingEvent): boolean {
  return cue === 'open' ? event.type === 'open' : signIn([cue], event) !== undefined
}

function success(sign: SuccessSign): string {
  return 'quietOpenMs' in sign ? `open and not refused for ${sign.quietOpenMs} ms` : frameShowing(sign)
}

function described(event: SignalingEvent, sign: FailureSign | undefined): string {
  if (sign !== undefined && ('frame' in sign || 'text' in sign)) return `answered with ${frameShowing(sign)}`
  if (event.type === 'http') return `answered ${event.code}`
  if (event.type !== 'close') return event.text
  return event.code === 1006 ? 'ended without a close frame' : `closed with ${event.code}`
}

function silence(
  connection: Connection,
  isSaid: boolean,
  events: readonly SignalingEvent[],
  deadlineMs: number,
): string {
  const time = `${deadlineMs / 1000} s`
  if (connection.stage() === 'dialling') return `did not take the connection within ${time}`
  if (connection.stage() === 'upgrading') return `did not answer the upgrade within ${time}`
  if (!isSaid) return `did not ask for the credential within ${time}`
  return events.some((event) => event.type === 'frame')
    ? `showed no sign of success within ${time}`
    : `stayed silent for ${time}`
}
