import { jsonPaths } from '../base/tokens/json-paths.ts'
import type { FailureSign, MessageSign } from '../roles/signaling/types.ts'
import type { Trace } from './prober.ts'

/** What tells those who were let in from those who were not. */
export interface Separation {
  /** Quiet: nothing is said to those who are let in, while the others are turned away. */
  readonly success: MessageSign | 'quiet'
}

/** One sign that a frame shows, and how well it would do as the sign of something. */
interface Shown {
  readonly sign: MessageSign
  readonly frame: number
}

const kindKeys = ['type', 'event', 'op', 'action', 't', 'kind', 'cmd', 'method', 'status', 'state', 'code']
const resultKeys = ['ok', 'success', 'authenticated', 'authorized', 'result', 'connected', 'ready']
const successWords =
  /welcome|ready|ok\b|^ok|success|accept|connected|established|auth|hello|joined|ack|granted|logged/i
const deniedWords = /unauthori[sz]ed|unauthenticated|invalid.?token|token.?invalid/i
const failureWords =
  /unauthori[sz]ed|unauthenticated|auth|denied|forbidden|invalid|expired|jwt|token|credential/i

/**
 * Compares attempts with good tokens to attempts without: null where nothing tells them apart for certain. Whoever was
 * let in must still have been connected when the watching ended.
 */
export function separation(valid: readonly Trace[], invalid: readonly Trace[]): Separation | null {
  if (valid.some(({ end, isReached }) => end !== null || !isReached)) return null
  const success = best(onlyIn(valid, invalid), successScore)
  if (success !== null) return { success }
  const isTurnedAway = (trace: Trace) => trace.end !== null && trace.isReached
  const failure = onlyIn(invalid, valid)
  return invalid.every(isTurnedAway) || failure.length > 0 ? { success: 'quiet' } : null
}

/** Whether a single attempt shows what the separation calls success. */
export function isSuccess({ success }: Separation, trace: Trace): boolean {
  if (trace.end !== null || !trace.isReached) return false
  return success === 'quiet' || signsOf(trace).some(({ sign }) => keyOf(sign) === keyOf(success))
}

/** How the refused were refused: by what all of each kind of refusal show, and nobody who was let in does. */
export function failureSigns(groups: readonly (readonly Trace[])[], valid: readonly Trace[]): FailureSign[] {
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

/** The signs that say 401 in so many words: the number, its close codes, or an error that names the matter. */
export function unauthorizedSigns(signs: readonly FailureSign[]): FailureSign[] {
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

/** The signs of a frame before anything was said: what a carriage may wait for. */
export function greetingSign(traces: readonly Trace[]): MessageSign | null {
  return best(onlyIn(traces, []), ({ sign }) => kindScore(sign))
}

/** Every sign that all of these show and none of those. */
function onlyIn(these: readonly Trace[], those: readonly Trace[]): Shown[] {
  const [first, ...others] = these.map(signsOf)
  if (first === undefined) return []
  const keysOf = (shown: readonly Shown[]) => new Set(shown.map(({ sign }) => keyOf(sign)))
  const inOthers = others.map(keysOf)
  const elsewhere = keysOf(those.flatMap(signsOf))
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
  // The leading word alone: what follows it may be made up anew for everybody.
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
  const key = /([A-Za-z0-9_]+)'?\]?$/.exec(path)?.[1] ?? ''
  return (kindKeys.includes(key) ? 20 : resultKeys.includes(key) ? 15 : 0) - 2 * depth
}

function signsOf({ frames, jwt }: Trace): Shown[] {
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

/** Every constant that might name what a frame is. Ids, times and long texts name nothing. */
function signsIn(text: string): MessageSign[] {
  const json = jsonOf(text)
  if (typeof json === 'object' && json !== null)
    return jsonPaths(json).flatMap(({ path, value }): MessageSign[] =>
      isTelling(value) ? [{ frame: { path: shortPath(path), equals: value } }] : [],
    )
  // The leading word, or number, of a protocol that is no JSON: +OK, CONNECTED, 40.
  const word = /^(?:[+\-!*]?[A-Za-z_]{2,32}|\d{1,4}(?=\D))/.exec(text)?.[0]
  const [line = ''] = text.split('\r\n')
  const starts = [
    ...(word === undefined ? [] : [word]),
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
