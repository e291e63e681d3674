/** A stretch of bytes: `[start, end)`. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Marks the characters of a class, for `stretchesOf`. */
export function classOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) =>
    code < 128 && pattern.test(String.fromCharCode(code)) ? 1 : 0,
  )
}

/**
 * The longest stretches that are made of characters of a class alone and have at least so many, as starts and ends in
 * turns. Where there are few, one byte in so many is looked at. No generator: all bytes of an audit pass through here.
 */
export function endsOfStretches(bytes: Uint8Array, isMember: Uint8Array, least: number): number[] {
  const ends: number[] = []
  const { length } = bytes
  let start = 0
  let last = least - 1
  while (last < length) {
    // A stretch that begins here holds this character: most bytes need not be looked at.
    let other = last
    while (other >= start && isMember[bytes[other] as number] === 1) other -= 1
    if (other < start) {
      let end = last + 1
      while (end < length && isMember[bytes[end] as number] === 1) end += 1
      ends.push(start, end)
      other = end
    }
    start = other + 1
    last = other + least
  }
  return ends
}

/** The same in UTF-16LE: each character is followed by a zero. */
export function endsOfWideStretches(bytes: Uint8Array, isMember: Uint8Array, least: number): number[] {
  const ends: number[] = []
  const { length } = bytes
  for (let parity = 0; parity < 2; parity++) {
    let start = parity
    let last = start + 2 * (least - 1)
    while (last + 1 < length) {
      const other = wideBefore(bytes, isMember, start, last)
      if (other < start) {
        const end = wideBehind(bytes, isMember, last + 2)
        ends.push(start, end)
        start = end + 2
      } else start = other + 2
      last = start + 2 * (least - 1)
    }
  }
  return ends
}

/*
 * The inner loops are functions by themselves: V8 compiles a loop while it runs, and drops what it compiled where the
 * loop around it goes on.
 */

/** The last place, down to the start, that is no member; one below the start where all are. */
function wideBefore(bytes: Uint8Array, isMember: Uint8Array, start: number, last: number): number {
  let at = last
  while (at >= start && bytes[at + 1] === 0 && isMember[bytes[at] as number] === 1) at -= 2
  return at
}

/** The first place that is no member. */
function wideBehind(bytes: Uint8Array, isMember: Uint8Array, from: number): number {
  const { length } = bytes
  let at = from
  while (at + 1 < length && bytes[at + 1] === 0 && isMember[bytes[at] as number] === 1) at += 2
  return at
}
