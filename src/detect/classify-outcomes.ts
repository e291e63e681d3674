import { parsePeerJson } from '../base/parse-peer-json.ts'
import { jsonPaths } from '../base/tokens/json-paths.ts'
import type { FailureSign, MessageSign } from '../roles/signaling/signs.ts'
import type { Trace } from './prober.ts'

/** The sign that separates accepted attempts from refused ones. */
export interface Classification {
  /** Quiet: the service sends nothing on acceptance, and ends or answers the other attempts. */
  readonly success: MessageSign | 'quiet'
}

/** One sign that a frame shows, and how well it would do as the sign of something. */
interface Shown {
  readonly sign: MessageSign
  readonly frame: number
}

/** Ends each message of SignalR. */
const recordSeparator = '\u001e'
const kindKeys = ['type', 'event', 'op', 'action', 't', 'kind', 'cmd', 'method', 'status', 'state', 'code']
const resultKeys = ['ok', 'success', 'authenticated', 'authorized', 'result', 'connected', 'ready']
const successWords =
  /welcome|ready|ok\b|^ok|success|accept|connected|established|auth|hello|joined|ack|granted|logged/i
const deniedWords = /unauthori[sz]ed|unauthenticated|invalid.?token|token.?invalid/i
const failureWords =
  /unauthori[sz]ed|unauthenticated|auth|denied|forbidden|invalid|expired|jwt|token|credential/i

/**
 * Compares attempts with good tokens to attempts without: null where nothing tells them apart for certain. An accepted
 * attempt must still be connected when the watching ends.
 */
export function classifyOutcomes(valid: readonly Trace[], invalid: readonly Trace[]): Classification | null {
  if (valid.some(({ end, isReached }) => end !== null || !isReached)) return null
  const success = best(onlyIn(valid, invalid), successScore)
  if (success !== null) return { success }
  const isEnded = (trace: Trace) => trace.end !== null && trace.isReached
  const failure = onlyIn(invalid, valid)
  return invalid.every(isEnded) || failure.length > 0 ? { success: 'quiet' } : null
}

export function isAccepted({ success }: Classification, trace: Trace): boolean {
  if (trace.end !== null || !trace.isReached) return false
  return success === 'quiet' || shownSigns(trace).some(({ sign }) => keyOf(sign) === keyOf(success))
}

/** The signs that all refusals of a group show and no accepted attempt does. */
export function findFailureSigns(
  groups: readonly (readonly Trace[])[],
  valid: readonly Trace[],
): FailureSign[] {
  const all = groups.flat()
  const http = codesOf(all, 'http')
  const close = codesOf(all, 'close').filter((code) => code >= 1002 && ![1005, 1006, 1015].includes(code))
  const frames = groups.flatMap((group) => {
    const sign = group.length === 0 ? null : best(onlyIn(group, valid), failureScore)
    return sign === null ? [] : [sign]
  })
  const distinct = [...new Map(frames.map((sign) => [keyOf(sign), sign])).values()]
  return [...(http.length === 0 ? [] : [{ http }]), ...(close.length === 0 ? [] : [{ close }]), ...distinct]
}

/** The signs that mean 401: the number, its close codes, or an error that names the token or the authentication. */
export function selectUnauthorizedSigns(signs: readonly FailureSign[]): FailureSign[] {
  return signs.flatMap((sign): FailureSign[] => {
    if ('http' in sign) return sign.http.includes(401) ? [{ http: [401] }] : []
    if ('close' in sign) {
      // 3000 is registered as "Unauthorized"; 44xx mirrors the HTTP statuses by custom.
      const named = sign.close.filter((code) => code === 3000 || code === 4401 || code === 4001)
      return named.length === 0 ? [] : [{ close: named }]
    }
    if ('text' in sign) return failureWords.test(sign.text.startsWith) ? [sign] : []
    const { equals } = sign.frame
    const named =
      equals === 401 || equals === '401' || (typeof equals === 'string' && failureWords.test(equals))
    return named ? [sign] : []
  })
}

/** The sign of a frame that comes before any message: what a carriage may wait for. */
export function findGreeting(traces: readonly Trace[]): MessageSign | null {
  return best(onlyIn(traces, []), ({ sign }) => kindScore(sign))
}

/** Every sign that all of these show and none of those. */
function onlyIn(these: readonly Trace[], those: readonly Trace[]): Shown[] {
  const [first, ...others] = these.map(shownSigns)
  if (first === undefined) return []
  const keysOf = (shown: readonly Shown[]) => new Set(shown.map(({ sign }) => keyOf(sign)))
  const inOthers = others.map(keysOf)
  const elsewhere = keysOf(those.flatMap(shownSigns))
  return first.filter(({ sign }) => {
    const key = keyOf(sign)
    return inOthers.every((keys) => keys.has(key)) && !elsewhere.has(key)
  })
}

function best(shown: readonly Shown[], score: (one: Shown) => number): MessageSign | null {
  const ranked = shown
    .map((one) => ({ one, points: score(one) - one.frame }))
    .sort((a, b) => b.points - a.points)
  return ranked[0]?.one.sign ?? null
}

function successScore({ sign }: Shown): number {
  // The leading word alone: what follows it may differ for each client.
  if ('text' in sign) return 5 - sign.text.startsWith.length / 100
  const { equals } = sign.frame
  const says = typeof equals === 'string' && successWords.test(equals) ? 20 : equals === true ? 10 : 0
  return kindScore(sign) + says
}

function failureScore({ sign }: Shown): number {
  if ('text' in sign) return failureWords.test(sign.text.startsWith) ? 6 : 5
  const { equals } = sign.frame
  const isNamed =
    equals === 401 || (typeof equals === 'string' && (equals === '401' || deniedWords.test(equals)))
  const says = isNamed ? 40 : 0
  return kindScore(sign) + says + (typeof equals === 'string' && failureWords.test(equals) ? 20 : 0)
}

function kindScore(sign: MessageSign): number {
  if ('text' in sign) return 5
  const { path } = sign.frame
  const depth = path.split(/[.[]/).length
  const key = /(?<![A-Za-z0-9_])([A-Za-z0-9_]+)'?\]?$/.exec(path)?.[1] ?? ''
  return (kindKeys.includes(key) ? 20 : resultKeys.includes(key) ? 15 : 0) - 2 * depth
}

function shownSigns({ frames, jwt }: Trace): Shown[] {
  const isEcho = (sign: MessageSign) => {
    const said = 'text' in sign ? sign.text.startsWith : sign.frame.equals
    return typeof said === 'string' && (jwt.startsWith(said) || (said.length >= 8 && jwt.includes(said)))
  }
  return frames.flatMap((text, frame) =>
    signsIn(text)
      .filter((sign) => !isEcho(sign))
      .map((sign) => ({ sign, frame })),
  )
}

/** Every constant that may name the kind of a frame. Ids, times and long texts do not. */
function signsIn(text: string): MessageSign[] {
  const json = parseJson(text)
  if (typeof json === 'object' && json !== null)
    return jsonPaths(json).flatMap(({ path, value }): MessageSign[] =>
      isTelling(value) ? [{ frame: { path: shortPath(path), equals: value } }] : [],
    )
  // The leading word, or number, of a protocol that is no JSON: +OK, CONNECTED, 40.
  const word = /^(?:[+\-!*]?[A-Za-z_]{2,32}|\d{1,4}(?=\D))/.exec(text)?.[0]
  const [line = ''] = text.split('\r\n')
  const [record = '', ...records] = text.split(recordSeparator)
  const starts = [
    ...(word === undefined ? [] : [word]),
    ...(records.length > 0 && isTelling(record) ? [`${record}${recordSeparator}`] : []),
    ...(isTelling(line) && /^[\x20-\x7e]+$/.test(line) ? [line] : []),
  ]
  return [...new Set(starts)].map((startsWith) => ({ text: { startsWith } }))
}

function isTelling(value: unknown): value is string | number | boolean {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1_000_000
  if (typeof value === 'boolean') return true
  return typeof value === 'string' && value !== '' && value.length <= 80 && !/[0-9a-f]{12}|\d{6}/i.test(value)
}

function shortPath(path: string): string {
  return path.replaceAll(/\['([A-Za-z_][A-Za-z0-9_]*)'\]/g, '.$1')
}

function keyOf(sign: MessageSign): string {
  return JSON.stringify(sign)
}

function codesOf(traces: readonly Trace[], type: 'http' | 'close'): number[] {
  const codes = traces.flatMap(({ end }) => (end?.type === type && end.code !== undefined ? [end.code] : []))
  return [...new Set(codes)].sort((a, b) => a - b)
}

function parseJson(text: string): unknown {
  try {
    return parsePeerJson(text)
  } catch {
    return undefined
  }
}
