import { parsedJson } from '../base/http/incoming.ts'
import { jsonPaths } from '../base/tokens/json-paths.ts'
import type { SignalingEvent } from '../roles/signaling/event-log.ts'
import type { FailureSign, MessageSign } from '../roles/signaling/signs.ts'

export interface Trace {
  /** A clause that completes "signaling …". */
  readonly summary: string
  readonly events: readonly SignalingEvent[]
  readonly isOpen: boolean
}

/** Quiet: the service sends nothing on acceptance, and ends or answers the other attempts. */
export type Success = MessageSign | 'quiet'

/** Keys under which services say what a frame is about, the most telling first. */
const successKeys = ['type', 'event', 'op', 'action', 'janus', 'ok', 'success', 'authenticated', 'status']
const failureKeys = ['code', 'reason', 'error', 'message', 'status', 'type', 'event', 'op', 'janus']
/** How frames of Centrifugo and SignalR begin. */
const beginnings = ['{"id":1,"connect"', '{"id":1,"error"', '{}\u001e', '{"error"']
/** The first word, number or letter of a protocol that is no JSON: +OK, CONNECTED, 40, o. */
const firstWord = /^(?:[+\-!*]?[A-Za-z_]{2,32}|\d{1,4}(?=\D)|[a-z](?=\[|$))/
const refusalWords = /unauthori[sz]ed|unauthenticated|auth|denied|forbidden|invalid|expired|jwt|token/i
/** 3000 is registered as "Unauthorized"; 44xx mirrors the HTTP statuses by custom. */
const unauthorizedCodes = [401, 3000, 4401, 4001]
/** Codes that a connection also ends with for other reasons. */
const ordinaryCodes = [1000, 1001, 1005, 1006, 1015]

/** Compares attempts with good tokens to attempts with bad ones; null where no sign separates them. */
export function findSuccess(valid: readonly Trace[], invalid: readonly Trace[]): Success | null {
  if (!valid.every(({ isOpen }) => isOpen)) return null
  const [success] = findShared(valid, invalid, successKeys)
  if (success !== undefined) return success
  const areClosed = invalid.every(({ isOpen }) => !isOpen)
  return areClosed || findShared(invalid, valid, failureKeys).length > 0 ? 'quiet' : null
}

export function isAccepted(success: Success, trace: Trace): boolean {
  return trace.isOpen && (success === 'quiet' || signsOf(trace, successKeys).some(isSame(success)))
}

/** The signs that all refusals of a group show and no accepted attempt does. */
export function findFailures(groups: readonly (readonly Trace[])[], valid: readonly Trace[]): FailureSign[] {
  const ends = groups.flat().flatMap(({ events }) => events.at(-1) ?? [])
  const codesOf = (wanted: SignalingEvent['type']) => {
    const codes = ends.flatMap(({ type, code }) => (type === wanted && code !== undefined ? code : []))
    return [...new Set(codes)].filter((code) => !ordinaryCodes.includes(code)).sort((one, two) => one - two)
  }
  const frames = groups.flatMap((group) => {
    const signs = findShared(group, valid, failureKeys)
    return signs.find(namesToken) ?? signs[0] ?? []
  })
  const [http, close] = [codesOf('http'), codesOf('close')]
  const coded = [...(http.length > 0 ? [{ http }] : []), ...(close.length > 0 ? [{ close }] : [])]
  return [...coded, ...frames.filter((sign, place) => frames.findIndex(isSame(sign)) === place)]
}

/** The signs that mean 401: the number, its close codes, or an error that names the token or the authentication. */
export function selectUnauthorized(signs: readonly FailureSign[]): FailureSign[] {
  const named = (codes: readonly number[]) => codes.filter((code) => unauthorizedCodes.includes(code))
  return signs.flatMap((sign): FailureSign[] => {
    if ('http' in sign) return named(sign.http).length > 0 ? [{ http: named(sign.http) }] : []
    if ('close' in sign) return named(sign.close).length > 0 ? [{ close: named(sign.close) }] : []
    return namesToken(sign) ? [sign] : []
  })
}

/** The sign of a frame that comes before any message: what a carriage may wait for. */
export function findGreeting(trace: Trace): MessageSign | undefined {
  return signsOf(trace, successKeys)[0]
}

function namesToken(sign: MessageSign): boolean {
  const said = 'text' in sign ? sign.text.startsWith : sign.frame.equals
  return said === 401 || (typeof said === 'string' && refusalWords.test(said))
}

/** Every sign that all of these show and none of those, the most telling first. */
function findShared(these: readonly Trace[], those: readonly Trace[], keys: readonly string[]) {
  const [first = [], ...others] = these.map((trace) => signsOf(trace, keys))
  const excluded = those.flatMap((trace) => signsOf(trace, keys))
  const isShared = (sign: MessageSign) => others.every((signs) => signs.some(isSame(sign)))
  return first.filter((sign) => isShared(sign) && !excluded.some(isSame(sign)))
}

function isSame(one: MessageSign): (other: MessageSign) => boolean {
  return (other) => JSON.stringify(other) === JSON.stringify(one)
}

/** Lists the signs in the frames of an attempt. An echo of the client's own message is no sign. */
function signsOf({ events }: Trace, keys: readonly string[]): MessageSign[] {
  const sent = events.filter(({ type }) => type === 'sent').map(({ text }) => text)
  const frames = events.filter(({ type, text }) => type === 'frame' && !sent.includes(text))
  const leaves = frames.flatMap(({ text }) => jsonPaths(parsedJson(text)))
  const starts = frames.flatMap(({ text }) => {
    const known = beginnings.filter((beginning) => text.startsWith(beginning))
    const [line = ''] = text.split('\u001e', 1).flatMap((record) => record.split('\r\n', 1))
    const words = parsedJson(text) === undefined ? [firstWord.exec(text)?.[0] ?? '', line] : []
    return [...known, ...words.filter(isTelling)]
  })
  const frameSigns = keys.flatMap((key) =>
    leaves.flatMap(({ path, value }) => {
      const shortPath = path.replaceAll(/\['(\w+)'\]/g, '.$1')
      const isNamed = path.endsWith(`['${key}']`) && isTelling(value)
      return isNamed ? [{ frame: { path: shortPath, equals: value } }] : []
    }),
  )
  return [...starts.map((startsWith) => ({ text: { startsWith } })), ...frameSigns]
}

function isTelling(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return /^[ -~]{1,80}$/.test(value) && !/[0-9a-f]{12}|\d{6}/i.test(value)
  return typeof value === 'boolean' || Number.isSafeInteger(value)
}
