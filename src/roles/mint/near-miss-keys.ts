export const keyPrefix = 'ac_live_'

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

/**
 * Changes one character in its first bits too, as base64url: of the last one the others may be padding, which a decoder
 * does not look at. A digit becomes a letter that is also hexadecimal, and a letter a digit, where that differs so.
 */
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
