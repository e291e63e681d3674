import { defaultLeastSuffix, type KeyShape, shapeOf } from '../model/key-shape.ts'
import { isHashedName } from '../model/name-shape.ts'

export interface KeyCandidate {
  readonly secret: string
  readonly shape: KeyShape
  /** A letter or digit is directly before the prefix, and is not the end of an escape. */
  readonly follows: boolean
  /** A small letter does: the prefix may be the end of a word. */
  readonly isGlued: boolean
  /** The character after the last one of the candidate; empty at the end of the text. */
  readonly next: string
  readonly previous: string
  /** Only its head looks like a key: where that ends, the candidate does not tell. */
  readonly isHead?: true
}

const longest = 512

/** `\n`, `\x20`, `\u0020`, `%20` and the colours of a terminal end in what looks like a part of a word. */
const escapeEnd = /(?:[^ -~]\[[\d;]{0,12}[mK]|\\(?:[abefnrtv0]|x[0-9a-f]{2}|u[0-9a-f]{4})|%[0-9a-f]{2})$/i

/** Extension that a bundler writes behind the hash in a file name, also behind another extension. */
const extension =
  /^\.(?:[0-9a-z]{1,32}\.)?(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|css|m?js|map|wasm|webmanifest|pdf|txt|xml|woff2?|ttf|otf|mp[34]|m4a|webm|ogg|wav|json|lottie)(?![0-9a-z])/i

/** The candidate that begins at an index of a text. Never longer than 512 characters. */
export function keyAt(text: string, at: number, prefix: string, leastSuffix?: number): KeyCandidate {
  const all = /^[A-Za-z0-9_-]*/.exec(text.slice(at + prefix.length, at + prefix.length + longest))?.[0] ?? ''
  // The end of a comment, or the beginning of an option.
  const run = all.replace(/-{2,}$/, '')
  const previous = text[at - 1] ?? ''
  const end = at + prefix.length + run.length
  const isFile = text[end] === '.' && extension.test(text.slice(end, end + 48)) && isHashedName(run)
  const follows = /[A-Za-z0-9]/.test(previous) && !escapeEnd.test(text.slice(Math.max(0, at - 16), at))
  return {
    secret: prefix + run,
    shape: isFile ? 'identifier' : shapeOf(run, leastSuffix),
    follows,
    isGlued: follows && /[a-z]/.test(previous),
    next: text[end] ?? '',
    previous,
  }
}

const otherStage = /^[a-z]{3,8}[^A-Za-z0-9]/

/** Finds the next key, or one of another stage such as a test key; -1 where there is none. */
function nextPrefixIn(secret: string, prefix: string): number {
  const first = prefix.slice(0, prefix.search(/[^a-z0-9]/i) + 1) || prefix
  for (
    let at = secret.indexOf(first, prefix.length);
    at !== -1;
    at = secret.indexOf(first, at + first.length)
  )
    if (secret.startsWith(prefix, at) || otherStage.test(secret.slice(at + first.length))) return at
  return -1
}

/**
 * Ends a candidate where the next key or an address begins, where strings may be packed back to back. Another string may be
 * between the two.
 */
export function untilNext(
  key: KeyCandidate,
  text: string,
  at: number,
  { prefix, leastSuffix }: { readonly prefix: string; readonly leastSuffix?: number | undefined },
): KeyCandidate {
  const nextKey = nextPrefixIn(key.secret, prefix)
  const whole = nextKey === -1 ? key.secret : key.secret.slice(0, nextKey)
  const isAddress = nextKey === -1 && text.startsWith('://', at + whole.length)
  const alone = isAddress ? whole.replace(/(?:https?|wss?)$/, '') : whole
  const secret = prefix + onceOf(alone.slice(prefix.length))
  if (secret === key.secret) return key
  const shape = shapeOf(secret.slice(prefix.length), leastSuffix)
  return { ...key, secret, shape, next: text[at + secret.length] ?? '', isHead: true }
}

/** A program may have a constant twice, one directly behind the other: without the prefix, it is no longer key. */
function onceOf(run: string): string {
  const half = run.slice(0, run.length / 2)
  return run.length >= 2 * leastOnce && run === half + half ? half : run
}

const leastOnce = 16

/** Length of a key's head. Usual keys fill it; the shortest fill it with the text behind them. */
const headLength = 24
const unbroken = /[A-Za-z0-9]{16}/

/**
 * The same candidate where strings may be packed back to back: what follows a key can be so long that the whole looks
 * like a name. Then its head is judged alone.
 */
export function byItsHead(key: KeyCandidate, prefix: string, leastSuffix = defaultLeastSuffix): KeyCandidate {
  const run = key.secret.slice(prefix.length)
  const head = run.slice(0, Math.max(headLength, leastSuffix))
  if (key.shape === 'strong' || run.length < head.length + 8 || !unbroken.test(head)) return key
  return shapeOf(head, leastSuffix) === 'strong' ? { ...key, shape: 'strong', isHead: true } : key
}
