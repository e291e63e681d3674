import type { Answer } from '../../../src/base/http/client.ts'

/**
 * The use that a shared cache (RFC 9111) may make of the response to one user's GET when another user sends
 * the same request: reuse it, revalidate it with its validators, or neither. Where the RFC leaves a choice,
 * this model does the same as common caches: without an explicit lifetime it stores a response that is public
 * or has a date.
 */
export type Reuse =
  | { readonly kind: 'none' }
  | { readonly kind: 'hands-out'; readonly because: string }
  | { readonly kind: 'validates'; readonly validators: readonly (readonly [name: string, value: string])[] }

/**
 * Fields that replace Cache-Control in caches that support them: CDN-Cache-Control and those of single networks (RFC 9213),
 * and Surrogate-Control (Edge Architecture 1.0).
 */
export const targetedControls = [
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'netlify-cdn-cache-control',
  'vercel-cdn-cache-control',
  'surrogate-control',
] as const

/** Cache-Control applies to every cache. */
export const controls = ['cache-control', ...targetedControls] as const

export function reuseByOthers(answer: Answer, control: (typeof controls)[number]): Reuse {
  const text = fieldOf(answer, control)
  if (text === null && control !== 'cache-control') return { kind: 'none' }
  const directives = directivesOf(text ?? '')
  const has = (name: string) => directives.has(name)
  // A surrogate acts for the server itself: what it may keep, it may keep for everyone.
  const isForAll =
    control === 'surrogate-control'
      ? has('max-age')
      : has('public') || has('s-maxage') || has('must-revalidate')
  const vary = (fieldOf(answer, 'vary') ?? '').toLowerCase().split(/[\s,]+/)
  const isKept = isForAll && !has('no-store') && !has('private') && answer.status === 200
  // The other user's Authorization header differs, so varying by it prevents reuse.
  if (!isKept || vary.includes('*') || vary.includes('authorization')) return { kind: 'none' }

  const lifetime = lifetimeOf(answer, directives, control)
  const age = seconds(fieldOf(answer, 'age') ?? '') ?? 0
  const staleFor = seconds(directives.get('stale-while-revalidate') ?? '') ?? 0
  const isUsable = lifetime > age || (staleFor > 0 && lifetime + staleFor > age)
  const find = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).flatMap(([name, as]) => {
      const value = fieldOf(answer, name)
      return value === null ? [] : [[as, value] as const]
    })
  const validators = find({ etag: 'if-none-match', 'last-modified': 'if-modified-since' })
  if (has('no-cache') || !isUsable)
    return validators.length === 0 ? { kind: 'none' } : { kind: 'validates', validators }
  const because = find({ [control]: control, vary: 'vary', expires: 'expires' })
  return { kind: 'hands-out', because: because.map(([name, value]) => `${name}: ${value}`).join('; ') }
}

/** Why a cache may hand a response to another user, by the first of these fields that allows it; null where none does. */
export function handsOut(answer: Answer, fields: readonly (typeof controls)[number][]): string | null {
  const reuses = fields.map((control) => reuseByOthers(answer, control))
  return reuses.find((reuse) => reuse.kind === 'hands-out')?.because ?? null
}

function lifetimeOf(
  answer: Answer,
  directives: ReadonlyMap<string, string>,
  control: (typeof controls)[number],
): number {
  for (const name of ['s-maxage', 'max-age']) {
    // In Surrogate-Control a time in which it may be used stale can follow: `60+10`.
    const value = directives.get(name)?.replace(/\+\d+$/, '')
    // An invalid value means stale (RFC 9111, section 4.2.1).
    if (value !== undefined) return seconds(value) ?? 0
  }
  const expires = control === 'cache-control' ? fieldOf(answer, 'expires') : null
  if (expires !== null) {
    const lifetime = (Date.parse(expires) - Date.parse(fieldOf(answer, 'date') ?? '')) / 1000
    return Number.isNaN(lifetime) ? 0 : lifetime
  }
  const mayGuess = directives.has('public') || fieldOf(answer, 'last-modified') !== null
  return mayGuess ? Number.POSITIVE_INFINITY : 0
}

function directivesOf(text: string): Map<string, string> {
  const directives = new Map<string, string>()
  for (const [, name = '', quoted, plain] of text.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,]*)))?/g))
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), quoted ?? plain ?? '')
  return directives
}

/** The values of all fields of this name as one list; `null` without such a field. */
export function fieldOf({ headers }: Answer, name: string): string | null {
  const values = headers.filter(([key]) => key === name).map(([, value]) => value)
  return values.length === 0 ? null : values.join(', ')
}

function seconds(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null
}
