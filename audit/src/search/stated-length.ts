import type { Window } from './window.ts'

/** Length of a string, as the byte before a key states it. */
export interface StatedLength {
  readonly characters: number
  /** The strings around agree. Where they do not, the byte is a character, and the end of the key may be a guess. */
  readonly isBelieved: boolean
}

/** Many binary formats put the length of a string into the byte before it. `null` where that byte is no such length. */
export function lengthBefore(window: Window, prefix: string): StatedLength | null {
  const { text, at } = window
  const characters = text.charCodeAt(at - 1)
  if (!(characters === prefix.length || characters >= prefix.length + 8) || characters >= longest) return null
  const run = /^[A-Za-z0-9_-]*/.exec(text.slice(at, at + 512))?.[0].length ?? 0
  // Behind the bare prefix is the tag of the next string, and no key.
  if (characters === prefix.length) {
    const isShort =
      run < prefix.length + 8 && isBinaryAt(text, at - 1) && !/[\t\n\r]/.test(text[at - 1] ?? '')
    return isShort ? { characters, isBelieved: true } : null
  }
  if (run < characters) return null
  const isBelieved = run === characters ? isBegun(text, at) : agree(window, characters, run)
  if (isBelieved) return { characters, isBelieved }
  const isQuoted = text[at + run] === text[at - 1]
  return !isQuoted && isBinaryAt(text, at - 2) ? { characters, isBelieved: false } : null
}

/** Lengths from here on take two bytes in protobuf. */
const longest = 128

function agree(window: Window, length: number, run: number): boolean {
  const { text, at } = window
  if (!isBegun(text, at)) return false
  if (isFollowed(text, at + length)) return true
  if (text[at - 2] === '\0' && isFollowedByWide(text, at + length)) return true
  if (text[at + run] === text[at - 1]) return false
  // A length below all printable characters is hardly anything else.
  if (length < 32) return text[at + run] !== '\0'
  // In UTF-16 a length of two bytes is no tag, and what no letter belongs to follows every text.
  return window.decoder === 'utf-8' && isTagged(text, at + length)
}

/** Strings with their lengths lead from the last byte that is no text to the length at `at - 1`. */
function isBegun(text: string, at: number): boolean {
  if (at < 2 || isBinaryAt(text, at - 2)) return true
  let first = at - 2
  while (first > 0 && at - first < 1024 && !isBinaryAt(text, first - 1)) first -= 1
  if (first > 0 && !isBinaryAt(text, first - 1)) return false
  const behindFirst = first + text.charCodeAt(first - 1)
  const starts = [first, first + 1, behindFirst, behindFirst + 1]
  return starts.includes(at - 1) || leads(text, starts, (place) => place === at - 1)
}

/** Behind the believed end, strings with their lengths lead to a byte that is no text. A zero ends the strings of C. */
function isFollowed(text: string, end: number): boolean {
  return leads(text, [end, end + 1], (place) => text[place] !== '\0' && isBinaryAt(text, place), 2)
}

/** Behind the believed end, with a tag or without, is a string with its length in two bytes, as Java and AMF write them. */
function isFollowedByWide(text: string, end: number): boolean {
  return [end, end + 1].some((place) => {
    const length = text.charCodeAt(place + 1)
    if (text[place] !== '\0' || !(length > 0 && length < longest)) return false
    return Array.from({ length }, (_, at) => place + 2 + at).every((at) => isTextAt(text, at))
  })
}

/** One character is behind the believed end, and then a byte that neither ends a text nor belongs to one. */
function isTagged(text: string, end: number): boolean {
  return isBinaryAt(text, end + 1) && !/[\0\t\n\r]/.test(text[end + 1] ?? '\0')
}

const mostStrings = 64

/**
 * Goes from length to length, each with a tag before it or without one.
 * @param starts where the first length may be
 */
function leads(
  text: string,
  starts: readonly number[],
  isEnd: (place: number) => boolean,
  most = mostStrings,
): boolean {
  let places: readonly number[] = starts.filter((place) => place >= 0)
  // No place is left twice: many strings lead to one in as many ways.
  const seen = new Set<number>()
  for (let step = 0; step < most && places.length > 0; step++) {
    const next: number[] = []
    for (const place of places) {
      if (step > 0 && isEnd(place)) return true
      const length = text.charCodeAt(place)
      const end = place + 1 + length
      if (!(length > 0 && length < longest) || end > text.length) continue
      let at = place + 1
      while (at < end && isTextAt(text, at)) at += 1
      if (at < end) continue
      for (const behind of [end, end + 1])
        if (!seen.has(behind)) {
          seen.add(behind)
          next.push(behind)
        }
    }
    places = next
  }
  return places.some(isEnd)
}

function isPrintable(code: number): boolean {
  return code >= 0x20 && code <= 0x7e
}

/** Outside of the text, there is nothing printable. */
function isBinaryAt(text: string, place: number): boolean {
  return !isPrintable(text.charCodeAt(place))
}

function isTextAt(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  return isPrintable(code) || code === 0x09 || code === 0x0a || code === 0x0d
}
