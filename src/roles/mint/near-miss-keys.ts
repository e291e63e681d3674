import { mintContract } from '../../contract/mint.ts'

const { prefix: keyPrefix } = mintContract.key

/** Keys that differ from the valid one in one respect each, with their names. */
export function createNearMissKeys(key: string, random: string): (readonly [name: string, key: string])[] {
  const start = key.startsWith(keyPrefix) ? keyPrefix.length : 0
  const middle = Math.floor((start + key.length) / 2)
  const candidates = [
    ['an unknown key', key.slice(0, start) + random.slice(0, key.length - start)],
    // An unset variable or column, as text.
    ['the word undefined', 'undefined'],
    ['the word null', 'null'],
    // An object of JavaScript that is used as a table has these as well.
    ['the word constructor', 'constructor'],
    ['the word __proto__', '__proto__'],
    ['the wildcard %', '%'],
    ['the key prefix and the wildcard %', `${key.slice(0, start)}%`],
    ['a wildcard _ for each character of the key', key.slice(0, start).padEnd(key.length, '_')],
    ['a key without its last character', key.slice(0, -1)],
    ['the first half of a key', key.slice(0, middle)],
    ['the prefix of a key', key.slice(0, start)],
    ['a key without its prefix', key.slice(start)],
    ['one character after the key', `${key}x`],
    ['four characters after the key', `${key}x7Qz`],
    ['a dot and four characters after the key', `${key}.x7Qz`],
    ['hyphens after the key', endedBy('-', key)],
    ['underscores after the key', endedBy('_', key)],
    ['the key twice', key + key],
    ['one character before the key', `x${key}`],
    ['a key that differs in its first character', changeAt(key, start)],
    ['a key that differs in the middle', changeAt(key, middle)],
    ['a key that differs in its last character', changeAt(key, key.length - 1)],
    ['a key with a different second half', key.slice(0, middle) + random.slice(0, key.length - middle)],
    [
      'a key with a different first half',
      key.slice(0, start) + random.slice(0, middle - start) + key.slice(middle),
    ],
    ['the prefix in upper case', key.slice(0, start).toUpperCase() + key.slice(start)],
    ['the key in upper case', key.toUpperCase()],
    ['the key in lower case', key.toLowerCase()],
    [
      'the key with the case of its first half swapped',
      key.slice(0, start) + swapCase(key.slice(start, middle)) + key.slice(middle),
    ],
    ['the key with the case of its second half swapped', key.slice(0, middle) + swapCase(key.slice(middle))],
  ] as const
  const secret = key.slice(start)
  // An alphabet without case, such as hexadecimal, may be decoded from either.
  const hasCase = secret !== secret.toLowerCase() && secret !== secret.toUpperCase()
  const isOtherCase = (candidate: string) => candidate.toLowerCase() === key.toLowerCase()
  return candidates.filter(
    ([, candidate]) =>
      candidate !== '' && !decodesAlike(candidate, key) && (hasCase || !isOtherCase(candidate)),
  )
}

/** Signs of a bearer token (RFC 6750) that no base64 has. */
const foreignSigns = [
  ['dot', '.'],
  ['tilde', '~'],
] as const

/** A key with a sign behind it, which is another key unless the mint also takes the one with this sign in the middle. */
export interface PunctuatedKey {
  readonly name: string
  readonly key: string
  /** A mint that takes this one decodes keys, and skips what is no base64: it reads the same key in both. */
  readonly within: { readonly name: string; readonly key: string }
}

export function createPunctuatedKeys(key: string): PunctuatedKey[] {
  const middle = Math.floor(key.length / 2)
  return foreignSigns.map(([name, sign]) => ({
    name: `a ${name} after the key`,
    key: key + sign,
    within: { name: `a ${name} within the key`, key: key.slice(0, middle) + sign + key.slice(middle) },
  }))
}

/** The key and the sign behind it, more than once where a decoder drops a single one. */
function endedBy(sign: string, key: string): string {
  const ended = [1, 2].map((times) => key + sign.repeat(times))
  return ended.find((candidate) => !decodesAlike(candidate, key)) ?? key
}

/** Changes the first bits, as base64url: the last ones may be padding, which a decoder ignores. */
function changeAt(key: string, index: number): string {
  const other = firstBits(key.charAt(index)) === firstBits('7') ? 'a' : '7'
  return key.slice(0, index) + other + key.slice(index + 1)
}

function firstBits(character: string): number {
  return (Buffer.from(`${character}A`, 'base64url')[0] ?? 0) >> 6
}

/** A key that reads the same once it is decoded is no other key. */
function decodesAlike(candidate: string, key: string): boolean {
  const bytesOf = (text: string) => Buffer.from(text, 'base64url').toString('latin1')
  const secretOf = (text: string) => (text.startsWith(keyPrefix) ? text.slice(keyPrefix.length) : null)
  // No encoder ends a text with a single character of four.
  const isAlike = (one: string, other: string) => other.length % 4 !== 1 && bytesOf(one) === bytesOf(other)
  if (candidate === key || isAlike(candidate, key)) return true
  const [ofCandidate, ofKey] = [secretOf(candidate), secretOf(key)]
  return ofCandidate !== null && ofKey !== null && isAlike(ofCandidate, ofKey)
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
