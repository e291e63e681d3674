import { randomInt } from 'node:crypto'
import { fingerprintOf } from '../model/finding.ts'
import { shapeOf } from '../model/key-shape.ts'

/** A key of no account, by which its finding is known again. */
export interface Canary {
  readonly key: string
  readonly fingerprint: string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Keys of a strong shape, each different; the length is the suffix's. @param below a random number from 0 to one less than its argument */
export function createCanaries(
  prefix: string,
  below: (limit: number) => number = (limit) => randomInt(limit),
): (length?: number) => Canary {
  const seen = new Set<string>()
  return (length = 24) => {
    for (;;) {
      const suffix = Array.from({ length }, () => alphabet[below(alphabet.length)]).join('')
      if (shapeOf(suffix) !== 'strong' || seen.has(suffix)) continue
      seen.add(suffix)
      const key = prefix + suffix
      return { key, fingerprint: fingerprintOf(key) }
    }
  }
}

/** A way to write a key down. */
export interface Encoding {
  readonly name: string
  encode(key: string): Buffer
}

const ascii = (name: string, write: (key: string) => string): Encoding => ({
  name,
  encode: (key) => Buffer.from(write(key), 'latin1'),
})

export const encodings: readonly Encoding[] = [
  ascii('plain', (key) => key),
  ascii('base64', (key) => Buffer.from(key).toString('base64')),
  ascii('hex', (key) => Buffer.from(key).toString('hex')),
]

/** Where strings are: printable bytes in a row, from the shortest on. */
interface Room {
  readonly start: number
  readonly end: number
}

const shortest = 34

/**
 * Lists the strings that a canary may take the place of, so that nothing else moves. In a text any printable line will do;
 * elsewhere only what stands between zero bytes is a string for certain.
 */
export function listRooms(bytes: Buffer, isText: boolean): Room[] {
  const rooms: Room[] = []
  let from = 0
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = at < bytes.length ? (bytes[at] ?? 0) : 0
    if (byte >= 0x20 && byte < 0x7f) continue
    const isString = isText || (byte === 0 && at < bytes.length && from > 0 && bytes[from - 1] === 0)
    if (isString && at - from >= shortest) rooms.push({ start: from, end: at })
    from = at + 1
  }
  return rooms.sort((one, other) => one.end - one.start - (other.end - other.start))
}

/** Overwrites the first room that is long enough, and takes it from the list; false where none is. */
export function overwrite(bytes: Buffer, rooms: Room[], written: Buffer, isText: boolean): boolean {
  const needed = written.length + (isText ? 2 : 0)
  const index = rooms.findIndex(({ start, end }) => end - start >= needed)
  const [room] = index < 0 ? [] : rooms.splice(index, 1)
  if (room === undefined) return false
  if (isText) bytes.write(`"${written.toString('latin1')}"`, room.start, 'latin1')
  else bytes.fill(0, room.start, room.end).set(written, room.start)
  return true
}
